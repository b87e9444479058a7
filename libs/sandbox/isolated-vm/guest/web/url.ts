// URL and URLSearchParams of the URL standard, with the parts of Node's `url` module that build on them.
import { URLSearchParams } from 'whatwg-url';
import * as legacy from 'url/url.js';
import { inspect } from 'node-inspect-extracted';
import path from 'path-browserify';
import punycode from 'punycode/punycode.js';
import { NodeStyleUrl as StandardUrl } from './url/node-url.ts';

const isUrl = (value: unknown): value is URL => value instanceof StandardUrl;

interface FormatOptions {
  readonly auth?: boolean;
  readonly fragment?: boolean;
  readonly search?: boolean;
  readonly unicode?: boolean;
}

const codedTypeError = (code: string, message: string): TypeError => Object.assign(new TypeError(message), { code });

/** url.format of a WHATWG URL, which can leave out parts of it; others are formatted by the package. */
function format(value: unknown, options: FormatOptions = {}): string {
  if (typeof value !== 'string' && (typeof value !== 'object' || value === null))
    throw codedTypeError('ERR_INVALID_ARG_TYPE', 'The "urlObject" argument must be one of type object or string');
  if (!isUrl(value)) return legacy.format(value);
  const { auth = true, fragment = true, search = true, unicode = false } = options;
  const formatted = new StandardUrl(value.href);
  if (!auth) formatted.username = formatted.password = '';
  if (!fragment) formatted.hash = '';
  if (!search) formatted.search = '';
  return unicode ? formatted.href.replace(formatted.host, () => punycode.toUnicode(formatted.host)) : formatted.href;
}

function fileURLToPath(value: string | URL): string {
  if (typeof value !== 'string' && !isUrl(value))
    throw codedTypeError('ERR_INVALID_ARG_TYPE', 'The "path" argument must be of type string or an instance of URL');
  const { protocol, hostname, pathname } = isUrl(value) ? value : new StandardUrl(value);
  if (protocol !== 'file:') throw codedTypeError('ERR_INVALID_URL_SCHEME', 'The URL must be of scheme file');
  if (hostname !== '')
    throw codedTypeError('ERR_INVALID_FILE_URL_HOST', 'File URL host must be "localhost" or empty on linux');
  if (/%2f/i.test(pathname))
    throw codedTypeError('ERR_INVALID_FILE_URL_PATH', 'File URL path must not include encoded / characters');
  return decodeURIComponent(pathname);
}

/** Characters that have a meaning in a URL other than as part of its path. */
const escapedCharacters = /[%\\\n\r\t?#]/g;

/** The `file:` URL of a path; a slash at its end is kept. */
function pathToFileURL(file: string): URL {
  const end = file.endsWith('/') ? '/' : '';
  const fullPath = path.resolve('/', file).replace(/\/$/, '') + end;
  return new StandardUrl(`file://${fullPath.replace(escapedCharacters, (one) => encodeURIComponent(one)) || '/'}`);
}

const urlToHttpOptions = (url: URL): Record<string, unknown> => ({
  protocol: url.protocol,
  hostname: url.hostname.replace(/^\[(.*)\]$/, '$1'),
  hash: url.hash,
  search: url.search,
  pathname: url.pathname,
  path: `${url.pathname}${url.search}`,
  href: url.href,
  ...(url.port === '' ? {} : { port: Number(url.port) }),
  ...(url.username || url.password
    ? { auth: `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}` }
    : {}),
});

Object.defineProperty(URLSearchParams.prototype, inspect.custom, {
  configurable: true,
  writable: true,
  value(this: URLSearchParams): string {
    const pairs = [...this].map(([name, value]) => `${inspect(name)} => ${inspect(value)}`);
    return pairs.length === 0 ? 'URLSearchParams {}' : `URLSearchParams { ${pairs.join(', ')} }`;
  },
});

type UrlPattern = typeof import('urlpattern-polyfill/urlpattern').URLPattern;
let cachedPattern: UrlPattern | undefined;

/** Evaluated at first use, because few components use it, and it would take memory in every isolate. */
export function urlPattern(): UrlPattern {
  cachedPattern ??= (require('urlpattern-polyfill/urlpattern') as { readonly URLPattern: UrlPattern }).URLPattern;
  return cachedPattern;
}

export const url = {
  ...legacy,
  format,
  URL: StandardUrl,
  get URLPattern() {
    return urlPattern();
  },
  URLSearchParams,
  fileURLToPath,
  pathToFileURL,
  domainToASCII: (domain: string) => {
    try {
      return new StandardUrl(`http://${domain}`).hostname;
    } catch {
      return '';
    }
  },
  domainToUnicode: (domain: string) => punycode.toUnicode(domain),
  urlToHttpOptions,
};

export { StandardUrl as URL, URLSearchParams };
