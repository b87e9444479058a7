// Parses a request that is saved in a file: a whole HTTP request, or only its body.
import { extname } from 'node:path';

export interface SavedRequest {
  readonly method: string;
  /** Appended to the URL of an endpoint: empty, or beginning with a slash or a question mark. */
  readonly path: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Buffer | undefined;
}

const contentTypes: Readonly<Record<string, string>> = {
  '.json': 'application/json',
  '.xml': 'application/xml',
  '.txt': 'text/plain; charset=utf-8',
  '.csv': 'text/csv; charset=utf-8',
  '.form': 'application/x-www-form-urlencoded',
};

/** GET without a body, POST with one. Without a known file extension, JSON is recognized by its content. */
export function bodyRequest(body: Buffer | undefined, file: string): SavedRequest {
  if (body === undefined) return { method: 'GET', path: '', headers: [], body };
  const type = contentTypes[extname(file)] ?? (isJson(body) ? 'application/json' : 'application/octet-stream');
  return { method: 'POST', path: '', headers: [['content-type', type]], body };
}

/** Headers that the HTTP client sets itself. */
const clientHeaders = /^(host|content-length|connection|transfer-encoding)$/i;

/** Undefined: the content is not an HTTP request. */
export function httpRequest(content: Buffer): SavedRequest | undefined {
  const { head, body } = splitRequest(content);
  const [first = '', ...lines] = head.split(/\r?\n/);
  const [, method, target] = /^([A-Za-z]+)\s+(\S+)(?:\s+HTTP\/[\d.]+)?\s*$/.exec(first) ?? [];
  if (method === undefined || target === undefined) return undefined;
  const headers: [string, string][] = [];
  for (const line of lines) {
    const at = line.indexOf(':');
    if (at < 1) return undefined;
    const [name, value] = [line.slice(0, at).trim(), line.slice(at + 1).trim()];
    if (!clientHeaders.test(name)) headers.push([name, value]);
  }
  return { method: method.toUpperCase(), path: pathOf(target), headers, body: body.length === 0 ? undefined : body };
}

/** Why it cannot be sent at all, such as a GET request with a body; undefined: it can. */
export function problemOf({ method, path, headers, body }: SavedRequest): string | undefined {
  const pathError = pathProblem(path);
  if (pathError !== undefined) return pathError;
  if (body !== undefined && /^(GET|HEAD)$/.test(method)) return `a ${method} request has no body`;
  try {
    const sent = headers.map(([name, value]): [string, string] => [name, value]);
    void new Request('http://localhost/', { method, headers: sent });
    return undefined;
  } catch (error) {
    return (error as Error).message.replace(/\.$/, '');
  }
}

/** Rejects fragments, which are not sent, and dot segments, which can lead out of the endpoint. */
function pathProblem(path: string): string | undefined {
  if (/[\u0000-\u001f]/.test(path)) return 'its path has a control character';
  if (path.includes('#')) return 'its path has a fragment, which is never sent: # in a name is written as %23';
  const [segments = ''] = path.trimEnd().split('?');
  const isDots = segments.split(/[/\\]/).some((segment) => /^(?:\.|%2e){1,2}$/i.test(segment));
  return isDots ? 'its path has a segment . or .., which is not sent as it is' : undefined;
}

/** Splits at the first empty line; the bytes of the body are unchanged. */
function splitRequest(content: Buffer): { readonly head: string; readonly body: Buffer } {
  const text = content.toString('latin1');
  const end = /\r?\n\r?\n/.exec(text);
  if (end === null) return { head: content.toString().trimEnd(), body: Buffer.alloc(0) };
  return { head: content.subarray(0, end.index).toString(), body: content.subarray(end.index + end[0].length) };
}

function pathOf(target: string): string {
  if (target === '/') return '';
  if (!URL.canParse(target)) return target.replace(/^(?![/?])/, '/');
  const { pathname, search, hash } = new URL(target);
  return `${pathname === '/' ? '' : pathname}${search}${hash}`;
}

function isJson(body: Buffer): boolean {
  try {
    JSON.parse(body.toString());
    return true;
  } catch {
    return false;
  }
}
