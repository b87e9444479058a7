// Builds the request that follows a redirect, as the Fetch standard says (HTTP-redirect fetch).
import type { OutgoingRequest } from './outgoing-request.ts';

const redirectStatuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

export const isRedirect = (status: number): boolean => redirectStatuses.has(status);

/** Fields that are sent only to the origin that they were meant for. */
const originBoundFields: ReadonlySet<string> = new Set(['authorization', 'cookie', 'proxy-authorization']);
const bodyFields: ReadonlySet<string> = new Set([
  'content-encoding',
  'content-language',
  'content-length',
  'content-location',
  'content-type',
]);

/** Returns the next request; undefined if `location`, one byte per character, is not a URL that can be requested. */
export function redirectedRequest(
  request: OutgoingRequest,
  status: number,
  location: string,
): OutgoingRequest | undefined {
  const target = URL.parse(utf8Of(location), request.url);
  if (target === null || (target.protocol !== 'http:' && target.protocol !== 'https:')) return undefined;
  if (target.username !== '' || target.password !== '') return undefined;
  const losesBody = switchesToGet(request.method, status);
  const leavesOrigin = target.origin !== new URL(request.url).origin;
  const headers = request.headers.filter(([name]) => {
    const fieldName = name.toLowerCase();
    return !(leavesOrigin && originBoundFields.has(fieldName)) && !(losesBody && bodyFields.has(fieldName));
  });
  const methodChange = losesBody ? { method: 'GET', body: undefined } : {};
  return { ...request, url: target.href, path: undefined, headers, ...methodChange };
}

/** Decodes a URL that a server sent as unencoded UTF-8, of which each character here holds one byte. */
const utf8Of = (location: string): string =>
  /[^\x00-\x7f]/.test(location) ? Buffer.from(location, 'latin1').toString() : location;

const switchesToGet = (method: string, status: number): boolean =>
  status === 303 ? method !== 'GET' && method !== 'HEAD' : status < 303 && method === 'POST';
