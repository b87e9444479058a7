// An endpoint's request on the log.
import type { Sealed } from '../../secrets/sealed.ts';

/** An endpoint's request as the trigger holds it. `authorization` and `cookie` stand in `sealedHeaders`. */
export interface HttpRequestData {
  readonly method: string;
  /** Below the endpoint, beginning with `/`. */
  readonly path: string;
  /** The whole URL as the client sent it. */
  readonly url: string;
  readonly query: { readonly [name: string]: string | readonly string[] };
  /** Names in lower case. */
  readonly headers: { readonly [name: string]: string };
  /** JSON object of the secret ones; null when there were none. */
  readonly sealedHeaders: Sealed | null;
  /** Empty where the body is sealed. */
  readonly bodyBase64: string;
  /** The body's bytes, of a request that is not to be kept; its run keeps no console. */
  readonly sealedBody?: Sealed;
  /** It is kept, and nothing is run; absent: it is run. */
  readonly noRun?: boolean;
  readonly clientIp: string;
}
