// Prepares a request for axios: removes undefined fields, and moves the URL's query into `params`.
import type { AxiosRequestConfig } from 'axios';
import { ConfigurationError } from '../configuration-error.ts';

export interface RequestConfig extends AxiosRequestConfig {
  /** Resolves with status, headers and data instead of only the data. */
  readonly returnFullResponse?: boolean;
  /** Exports the request and the response as `debug_config` and `debug_response`. */
  readonly debug?: boolean;
  /** Not supported: what other clients call `data`. */
  readonly body?: unknown;
}

type Fields = Readonly<Record<string, unknown>>;

/** False for instances of classes, such as forms, streams and bytes, which must be kept unchanged. */
function isPlain(value: unknown): value is Fields {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}

const withoutUndefined = (value: unknown): unknown =>
  isPlain(value) ? Object.fromEntries(Object.entries(value).filter(([, field]) => field !== undefined)) : value;

interface Query {
  readonly url: string;
  readonly params: unknown;
}

/** Moves the URL's query into `params`. Repeated names stay in the URL; if `params` is no plain object, all do. */
function splitQuery(url: string, params: unknown): Query {
  const [, base = '', query, hash = ''] = /^([^?#]*)\?([^#]*)(#.*)?$/s.exec(url) ?? [];
  if (query === undefined || (params !== undefined && params !== null && !isPlain(params))) return { url, params };
  const explicitParams: Fields = params ?? {};
  const queryPairs = [...new URLSearchParams(query)].filter(([name]) => !Object.hasOwn(explicitParams, name));
  const single = queryPairs.filter(([name]) => queryPairs.filter(([other]) => other === name).length === 1);
  const remaining = new URLSearchParams(queryPairs.filter((pair) => !single.includes(pair))).toString();
  return {
    url: `${base}${remaining && '?'}${remaining}${hash}`,
    params: { ...Object.fromEntries(single), ...explicitParams },
  };
}

/** The config for axios. `params` override the URL's query. */
export function prepareRequest<T extends RequestConfig>(config: T): T {
  if (config.body !== undefined && config.body !== null) {
    throw new ConfigurationError('The request has "body", which axios does not know: pass it as "data"');
  }
  const { url, params } = splitQuery(config.url ?? '', withoutUndefined(config.params));
  return {
    ...config,
    ...(config.url === undefined ? {} : { url }),
    ...(params === undefined ? {} : { params }),
    // Headers of an axios instance are of a class, which drops undefined values itself.
    ...(config.headers === undefined ? {} : { headers: withoutUndefined(config.headers) }),
    ...(config.data === undefined ? {} : { data: withoutUndefined(config.data) }),
  };
}
