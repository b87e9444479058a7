// URL and URLSearchParams of the URL standard, with the parts of Node's `url` module that build on them.
import { URL as StandardUrl, URLSearchParams } from 'whatwg-url';
import * as legacy from 'url/url.js';
import { inspect } from 'node-inspect-extracted';
import punycode from 'punycode/punycode.js';

const isUrl = (value: unknown): value is URL => value instanceof StandardUrl;

/** Node's own takes a WHATWG URL too. */
function format(value: unknown): string {
  return isUrl(value) ? value.href : legacy.format(value);
}

const fileURLToPath = (value: string | URL): string => {
  const url = isUrl(value) ? value : new StandardUrl(String(value));
  if (url.protocol !== 'file:') {
    throw Object.assign(new TypeError('The URL must be of scheme file'), { code: 'ERR_INVALID_URL_SCHEME' });
  }
  return decodeURIComponent(url.pathname);
};

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
let pattern: UrlPattern | undefined;

/** Evaluated by those that use it: few do, and every isolate would hold what it makes. */
export function urlPattern(): UrlPattern {
  pattern ??= (require('urlpattern-polyfill/urlpattern') as { readonly URLPattern: UrlPattern }).URLPattern;
  return pattern;
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
  pathToFileURL: (path: string) => new StandardUrl(`file://${path.split('/').map(encodeURIComponent).join('/')}`),
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
