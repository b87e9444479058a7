// The webhook port: one HTTP POST, its outcome returned, never thrown.
import type { AnswerHeaders, AttemptTrace } from '../domain/delivery/attempt/attempt-details.ts';

export interface WebhookRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Sent as it is. */
  readonly body: string;
  /** Whose it is: workspaces take turns at looking up names. */
  readonly workspace?: string;
  /** From when it has a connection to the end of the answer; absent: `timeoutBounds.default`. */
  readonly timeoutMs?: number;
}

/** `address_refused`: by the guard; `timeout`: of the whole exchange on a connection; `connect_timeout`: 3 s to connect. */
export type WebhookFailure =
  | 'address_refused'
  | 'dns'
  | 'connect'
  | 'connect_timeout'
  | 'timeout'
  | 'closed'
  | 'tls'
  | 'answer_too_long'
  | 'protocol'
  | 'aborted';

/** `durationMs`: from when the request has a connection to the end of the answer's body; `trace.totalMs`: with what came before. */
export type WebhookOutcome =
  | {
      readonly kind: 'answered';
      /** Any HTTP status; 2xx is success, a redirect is not followed. */
      readonly status: number;
      /** The first 16 KiB of the answer, as text (UTF-8, replacement characters for what is not). */
      readonly answer: string;
      /** Seconds to wait, from `Retry-After` (seconds or date), when there is one. */
      readonly retryAfterSeconds?: number;
      /** By name, in lower case. */
      readonly headers: AnswerHeaders;
      readonly durationMs: number;
      readonly trace: AttemptTrace;
    }
  | {
      readonly kind: 'failed';
      readonly failure: WebhookFailure;
      /** For people: names host and cause, no secret. */
      readonly message: string;
      readonly durationMs: number;
      readonly trace: AttemptTrace;
    };

export abstract class Webhook {
  /** Sends one POST. Always resolves. Aborting gives `failed` with `aborted`. */
  abstract post(request: WebhookRequest, signal?: AbortSignal): Promise<WebhookOutcome>;
  /** Closes after the requests in flight have ended. */
  abstract close(): Promise<void>;
}
