// Handles one POST and its response for undici: keeps the beginning of the response and ends the exchange in time.
import type { Connection } from '../../egress/index.ts';
import type { AnswerHeaders, AttemptTrace } from '../../domain/delivery/attempt/attempt-details.ts';
import type { WebhookFailure, WebhookOutcome } from '../webhook.ts';
import { sizes } from '../../domain/sizes.ts';
import { retryAfterSeconds } from './retry-after.ts';
import { failureOf } from './post-failure.ts';

interface Controller {
  abort(reason: Error): void;
}
type Headers = Readonly<Record<string, string | string[] | undefined>>;

export class AttemptExchange {
  readonly #host: string;
  readonly #onDone: (outcome: WebhookOutcome) => void;
  readonly #timeoutMs: number;
  #timer: NodeJS.Timeout | undefined;
  readonly #askedAt = performance.now();
  #startedAt = this.#askedAt;
  #connection: Connection | undefined;
  #resend: () => boolean = () => false;
  #isNew = true;
  #firstByteMs: number | undefined;
  #headers: AnswerHeaders = {};
  #controller: Controller | undefined;
  #ended = false;
  /** The response was read to its end: there is nothing to abort. */
  #complete = false;
  #status = 0;
  #retryAfter: string | undefined;
  #chunks: Buffer[] = [];
  #chunksBytes = 0;

  constructor(host: string, timeoutMs: number, onDone: (outcome: WebhookOutcome) => void) {
    this.#host = host;
    this.#onDone = onDone;
    this.#timeoutMs = timeoutMs;
  }

  /** Sets the connection that will carry the request once it is open; `resend` sends it on a new connection. */
  follow(connection: Connection, resend: () => boolean): void {
    this.#connection = connection;
    this.#resend = resend;
  }

  /** The request has a connection: the time limit starts here, because only now does it depend on the receiver. */
  onRequestStart(controller: Controller): void {
    this.#controller = controller;
    if (this.#ended) return controller.abort(new Error('The exchange has ended.'));
    this.#isNew = this.#connection?.takeIsNew() ?? false;
    this.#connection?.limitReceived(sizes.answerReadBytes, () => this.#handleExceeded());
    if (this.#timer !== undefined) return;
    this.#startedAt = performance.now();
    const onTimeout = (): void => this.fail('timeout', `no whole answer within ${this.#timeoutMs} ms`);
    // Reads what has already arrived first: after a standstill of this process, its timers fire before its sockets.
    this.#timer = setTimeout(() => setImmediate(onTimeout), this.#timeoutMs);
  }

  onResponseStart(_controller: Controller, status: number, headers: Headers): void {
    if (isInterim(status)) return;
    this.#status = status;
    this.#firstByteMs = this.#durationMs();
    this.#headers = definedHeaders(headers);
    const retryAfter = headers['retry-after'];
    this.#retryAfter = Array.isArray(retryAfter) ? retryAfter[0] : retryAfter;
  }

  onResponseData(_controller: Controller, chunk: Buffer): void {
    const room = sizes.answerStoredBytes - this.#chunksBytes;
    if (room <= 0) return;
    this.#chunks.push(chunk.subarray(0, room));
    this.#chunksBytes += chunk.length;
  }

  onResponseEnd(): void {
    this.#complete = true;
    this.#finishAnswered();
  }

  onResponseError(_controller: Controller, error: Error): void {
    const { failure, cause } = failureOf(error, this.#controller !== undefined);
    if (failure === 'closed' && this.#tryResend()) return;
    this.fail(failure, cause);
  }

  fail(failure: WebhookFailure, cause: string): void {
    this.#finish({ kind: 'failed', failure, message: `${this.#host}: ${cause}`, ...this.#timings() });
  }

  /**
   * If a reused connection closes before any byte of a response, it was almost certainly closed while it was idle, and
   * the receiver has not seen the request; if it has, it knows the `webhook-id`. The repeat has a new connection, so a
   * request is sent again at most once.
   */
  #tryResend(): boolean {
    if (this.#ended || this.#isNew || this.#connection?.receivedBytes !== 0) return false;
    this.#controller = undefined;
    return this.#resend();
  }

  /** Ends the exchange at the limit of bytes: with the status, if it is known; no more of the body would be kept. */
  #handleExceeded(): void {
    if (this.#status !== 0) return this.#finishAnswered();
    this.fail('answer_too_long', `more than ${sizes.answerReadBytes / 1_024} KiB came, and no status among them`);
  }

  #finishAnswered(): void {
    const seconds = retryAfterSeconds(this.#retryAfter, Date.now());
    this.#finish({
      kind: 'answered',
      status: this.#status,
      answer: this.#chunks.length === 1 ? String(this.#chunks[0]) : Buffer.concat(this.#chunks).toString(),
      ...(seconds === undefined ? {} : { retryAfterSeconds: seconds }),
      headers: this.#headers,
      ...this.#timings(),
    });
  }

  #durationMs(): number {
    return roundToTenths(performance.now() - this.#startedAt);
  }

  #timings(): { readonly durationMs: number; readonly trace: AttemptTrace } {
    const now = performance.now();
    const opening = this.#connection?.opening;
    const { address = null, dnsMs = null, connectMs = null, tlsMs = null } = opening ?? {};
    const [durationMs, totalMs] = [roundToTenths(now - this.#startedAt), roundToTenths(now - this.#askedAt)];
    const trace = {
      ...(address === null ? {} : { address }),
      ...(!this.#isNew || dnsMs === null ? {} : { dnsMs }),
      ...(!this.#isNew || connectMs === null ? {} : { connectMs }),
      ...(!this.#isNew || tlsMs === null ? {} : { tlsMs }),
      ...(this.#firstByteMs === undefined ? {} : { firstByteMs: this.#firstByteMs }),
      ...(!this.#isNew || totalMs === durationMs ? {} : { totalMs }),
    };
    return { durationMs, trace };
  }

  #finish(outcome: WebhookOutcome): void {
    if (this.#ended) return;
    this.#ended = true;
    clearTimeout(this.#timer);
    this.#onDone(outcome);
    if (!this.#complete) this.#controller?.abort(new Error('The exchange has ended.'));
  }
}

/** Whether the response is only interim, before the final one: 100, 102, 103. */
const isInterim = (status: number): boolean => status < 200;

const roundToTenths = (ms: number): number => Math.round(ms * 10) / 10;

const definedHeaders = (headers: Headers): AnswerHeaders =>
  Object.fromEntries(Object.entries(headers).filter((one): one is [string, string | string[]] => one[1] !== undefined));
