// What is changed of a request before axios sends it: what is undefined is left out, and the URL's query joins params.
import type { AxiosRequestConfig } from 'axios';
import { ConfigurationError } from '../configuration-error.ts';

export interface RequestConfig extends AxiosRequestConfig {
  /** Answers with status, headers and data instead of the data alone. */
  readonly returnFullResponse?: boolean;
  /** Exports what is sent and what comes back as `debug_config` and `debug_response`. */
  readonly debug?: boolean;
  /** What other clients call data. */
  readonly body?: unknown;
}

type Fields = Readonly<Record<string, unknown>>;

/** Not what has a class, such as forms, streams and bytes: they have a meaning of their own. */
function isPlain(value: unknown): value is Fields {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}

const defined = (value: unknown): unknown =>
  isPlain(value) ? Object.fromEntries(Object.entries(value).filter(([, field]) => field !== undefined)) : value;

interface Query {
  readonly url: string;
  readonly params: unknown;
}

/** Moves the URL's query into `params`. A repeated name stays in the URL, since an object has it once; beside URLSearchParams all do. */
function moved(url: string, params: unknown): Query {
  const [, before = '', query, hash = ''] = /^([^?#]*)\?([^#]*)(#.*)?$/s.exec(url) ?? [];
  if (query === undefined || (params !== undefined && params !== null && !isPlain(params))) return { url, params };
  const given: Fields = params ?? {};
  const found = [...new URLSearchParams(query)].filter(([name]) => !Object.hasOwn(given, name));
  const single = found.filter(([name]) => found.filter(([other]) => other === name).length === 1);
  const left = new URLSearchParams(found.filter((pair) => !single.includes(pair))).toString();
  return { url: `${before}${left && '?'}${left}${hash}`, params: { ...Object.fromEntries(single), ...given } };
}

/** The config that axios gets. `params` win over the query of the URL. */
export function prepared<T extends RequestConfig>(config: T): T {
  if (config.body !== undefined && config.body !== null) {
    throw new ConfigurationError('The request has "body", which axios does not know: pass it as "data"');
  }
  const { url, params } = moved(config.url ?? '', defined(config.params));
  return {
    ...config,
    ...(config.url === undefined ? {} : { url }),
    ...(params === undefined ? {} : { params }),
    // As an instance has them here they have a class, and drop what is undefined themselves.
    ...(config.headers === undefined ? {} : { headers: defined(config.headers) }),
    ...(config.data === undefined ? {} : { data: defined(config.data) }),
  };
}
