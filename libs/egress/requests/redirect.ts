// Where an answer redirects its request to, and what of the request is kept (the Fetch standard, HTTP-redirect fetch).
import type { Outgoing } from './outgoing.ts';

const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

export const isRedirect = (status: number): boolean => redirects.has(status);

/** Fields that only the origin they were meant for may see. */
const ofOneOrigin: ReadonlySet<string> = new Set(['authorization', 'cookie', 'proxy-authorization']);
const ofBody: ReadonlySet<string> = new Set([
  'content-encoding',
  'content-language',
  'content-length',
  'content-location',
  'content-type',
]);

/** The next request; undefined when `location`, a byte in each character, is not a URL that can be requested. */
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

/** Servers that do not encode a URL's characters send them as UTF-8, one of its bytes in each character here. */
const utf8Of = (location: string): string =>
  /[^\x00-\x7f]/.test(location) ? Buffer.from(location, 'latin1').toString() : location;

const isAskedByGet = (method: string, status: number): boolean =>
  status === 303 ? method !== 'GET' && method !== 'HEAD' : status < 303 && method === 'POST';
