// The hosts of endpoints: one for all of them, or one for each, such as `https://KEY.hooks.example.com`.
import { hasHostEach, keyOfLabel, sharedBase } from './endpoint-url.ts';
import type { EndpointSettings } from './endpoint-url.ts';

/** No endpoint has this key. */
const unknownKey = '-';

export class EndpointHosts {
  /** The host for all endpoints, above those of each; undefined: they are on the service's own host. */
  readonly #shared: string | undefined;
  readonly #hasHostEach: boolean;

  constructor(settings: EndpointSettings) {
    this.#shared = settings.endpointUrl === undefined ? undefined : nameOf(new URL(sharedBase(settings)).host);
    this.#hasHostEach = hasHostEach(settings.endpointUrl);
  }

  /**
   * The key of the endpoint that has this host, as in the header, to itself; undefined: the path names the endpoint,
   * if any.
   */
  keyOf(host: string | undefined): string | undefined {
    if (!this.#hasHostEach || host === undefined) return undefined;
    const name = nameOf(host);
    if (!name.endsWith(`.${this.#shared}`)) return undefined;
    return keyOfLabel(name.slice(0, -`.${this.#shared}`.length)) ?? unknownKey;
  }

  /** Whether this host, as in the header, is for endpoints alone. */
  isOfEndpoints(host: string | undefined): boolean {
    return (host !== undefined && nameOf(host) === this.#shared) || this.keyOf(host) !== undefined;
  }
}

/** Without the port: cookies ignore ports, too. */
const nameOf = (host: string): string => host.toLowerCase().replace(/:\d*$/, '').replace(/\.$/, '');
