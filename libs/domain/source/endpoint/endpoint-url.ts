// Where a source's endpoint is reached: under a path of one host, or on a host of its own.

export interface EndpointSettings {
  /** Where clients reach the service, without a slash at the end. */
  readonly publicUrl: string;
  /**
   * The beginning of endpoint URLs where they have another host: `https://hooks.example.com`, or
   * `https://*.hooks.example.com` if each has a host of its own. Absent: `publicUrl`.
   */
  readonly endpointUrl?: string | undefined;
}

const wildcard = '//*.';

/** The path under which endpoints are where they share a host. */
export const pathPrefix = '/e/';

export function endpointUrl({ publicUrl, endpointUrl: own }: EndpointSettings, endpointKey: string): string {
  if (hasHostEach(own)) return urlOfLabel(own, labelOfKey(endpointKey));
  return `${own ?? publicUrl}${pathPrefix}${endpointKey}`;
}

/** The URL of the endpoint that has this label in the hosts of `endpointUrl`. */
export const urlOfLabel = (endpointUrl: string, label: string): string => endpointUrl.replace(wildcard, `//${label}.`);

/** The beginning of URLs in which endpoints share a host, without a slash at the end. */
export const sharedBase = ({ publicUrl, endpointUrl: own }: EndpointSettings): string =>
  own?.replace(wildcard, '//') ?? publicUrl;

export const hasHostEach = (endpointUrl: string | undefined): endpointUrl is string =>
  endpointUrl?.includes(wildcard) === true;

/**
 * Host names do not distinguish upper case, which keys made by earlier versions have: then the label begins with `x`,
 * and a hyphen marks each upper-case letter.
 */
export const labelOfKey = (key: string): string =>
  /[A-Z]/.test(key) ? `x${key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}` : key;

/** Undefined: no key has this label. */
export function keyOfLabel(label: string): string | undefined {
  const key = label.includes('-')
    ? label.replace(/^x/, '').replace(/-([a-z])/g, (_pair, letter: string) => letter.toUpperCase())
    : label;
  return /^[0-9A-Za-z]+$/.test(key) && labelOfKey(key) === label ? key : undefined;
}
