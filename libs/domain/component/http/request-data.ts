// The shape of an endpoint's HTTP request on the log.
import type { Sealed } from '../../secrets/sealed.ts';

/** An endpoint's request as the trigger holds it. `authorization` and `cookie` are in `sealedHeaders`. */
export interface HttpRequestData {
  readonly method: string;
  /** The path below the endpoint; begins with `/`. */
  readonly path: string;
  /** The whole URL as the client sent it. */
  readonly url: string;
  readonly query: { readonly [name: string]: string | readonly string[] };
  /** Names in lower case. */
  readonly headers: { readonly [name: string]: string };
  /** A JSON object of the secret headers; null: there were none. */
  readonly sealedHeaders: Sealed | null;
  /** The bytes as they were sent, not decoded. Empty if the body is sealed. */
  readonly bodyBase64: string;
  /** The body's bytes if the request must not be kept in clear text; its run keeps no console. */
  readonly sealedBody?: Sealed;
  /** The request is kept but does not run the source; absent: it runs. */
  readonly noRun?: boolean;
  readonly clientIp: string;
}
