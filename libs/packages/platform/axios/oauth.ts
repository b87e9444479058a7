// Signs requests by OAuth 1: a signer, which knows the consumer's secret, makes the Authorization header.
import client from 'axios';
import type { RequestConfig } from './request.ts';

export interface SignConfig {
  readonly token: unknown;
  /** The URL of the signer. */
  readonly oauthSignerUri: string;
}

export interface RequestToSign {
  readonly method: string;
  readonly url: string;
  readonly data?: unknown;
}

const formType = 'application/x-www-form-urlencoded';

function isForm({ headers }: RequestConfig): boolean {
  const fields = Object.entries((headers ?? {}) as Readonly<Record<string, unknown>>);
  return fields.some(([name, value]) => name.toLowerCase() === 'content-type' && String(value).startsWith(formType));
}

/** The parts that a signature covers: method, URL with query, and only the bodies of forms (RFC 5849, 3.4.1.3.1). */
export function transformConfigForOauth(config: RequestConfig): RequestToSign {
  const method = config.method ?? 'get';
  const url = client.getUri(config);
  return config.data && isForm(config) ? { method, url, data: config.data as unknown } : { method, url };
}

/** The config with its signature. */
export async function signRequest<T extends RequestConfig>(config: T, sign: SignConfig): Promise<T> {
  const body = { requestData: transformConfigForOauth(config), token: sign.token };
  const { data } = await client.post<unknown>(sign.oauthSignerUri, body);
  return { ...config, headers: { ...config.headers, Authorization: data } };
}
