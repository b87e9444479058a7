// The webhook port: sends one HTTP POST and returns the outcome; a failure is an outcome and never thrown.
import type { AnswerHeaders, AttemptTrace } from '../domain/delivery/attempt/attempt-details.ts';

export interface WebhookRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Sent unchanged. */
  readonly body: string;
  /** The workspace of the request: workspaces take turns at DNS look-ups. */
  readonly workspace?: string;
  /** The limit from having a connection to the end of the response; absent: 15 s. */
  readonly timeoutMs?: number;
}

/** `address_refused`: by the address guard; `timeout`: once connected; `connect_timeout`: not connected within 3 s. */
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

/** `durationMs`: from having a connection to the end of the response; `trace.totalMs` includes waiting for one. */
export type WebhookOutcome =
  | {
      readonly kind: 'answered';
      /** Any HTTP status; 2xx is success, a redirect is not followed. */
      readonly status: number;
      /** The first 16 KiB of the response's body as UTF-8 text, with replacement characters for invalid bytes. */
      readonly answer: string;
      /** Seconds to wait by `Retry-After` (seconds or date); absent: there was none. */
      readonly retryAfterSeconds?: number;
      /** Values by name in lower case. */
      readonly headers: AnswerHeaders;
      readonly durationMs: number;
      readonly trace: AttemptTrace;
    }
  | {
      readonly kind: 'failed';
      readonly failure: WebhookFailure;
      /** For people: names the host and the cause, and holds no secret. */
      readonly message: string;
      readonly durationMs: number;
      readonly trace: AttemptTrace;
    };

export abstract class Webhook {
  /** Sends one POST. Always resolves; if it is aborted, with `failed` and `aborted`. */
  abstract post(request: WebhookRequest, signal?: AbortSignal): Promise<WebhookOutcome>;
  /** Closes after the requests in flight have ended. */
  abstract close(): Promise<void>;
}
