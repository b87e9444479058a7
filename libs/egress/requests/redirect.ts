// Builds the request that follows a redirect, as the Fetch standard says (HTTP-redirect fetch).
import type { Outgoing } from './outgoing.ts';

const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

export const isRedirect = (status: number): boolean => redirects.has(status);

/** Fields that are sent only to the origin that they were meant for. */
const ofOneOrigin: ReadonlySet<string> = new Set(['authorization', 'cookie', 'proxy-authorization']);
const ofBody: ReadonlySet<string> = new Set([
  'content-encoding',
  'content-language',
  'content-length',
  'content-location',
  'content-type',
]);

/** Returns the next request; undefined if `location`, one byte per character, is not a URL that can be requested. */
export function redirected(request: Outgoing, status: number, location: string): Outgoing | undefined {
  const target = URL.parse(utf8Of(location), request.url);
  if (target === null || (target.protocol !== 'http:' && target.protocol !== 'https:')) return undefined;
  if (target.username !== '' || target.password !== '') return undefined;
  const losesBody = isAskedByGet(request.method, status);
  const leavesOrigin = target.origin !== new URL(request.url).origin;
  const headers = request.headers.filter(([name]) => {
    const known = name.toLowerCase();
    return !(leavesOrigin && ofOneOrigin.has(known)) && !(losesBody && ofBody.has(known));
  });
  const rest = losesBody ? { method: 'GET', body: undefined } : {};
  return { ...request, url: target.href, path: undefined, headers, ...rest };
}

/** Decodes a URL that a server sent as unencoded UTF-8, of which each character here holds one byte. */
const utf8Of = (location: string): string =>
  /[^\x00-\x7f]/.test(location) ? Buffer.from(location, 'latin1').toString() : location;

const isAskedByGet = (method: string, status: number): boolean =>
  status === 303 ? method !== 'GET' && method !== 'HEAD' : status < 303 && method === 'POST';
