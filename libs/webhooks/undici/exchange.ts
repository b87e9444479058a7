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
  readonly #done: (outcome: WebhookOutcome) => void;
  readonly #timeoutMs: number;
  #timer: NodeJS.Timeout | undefined;
  readonly #askedAt = performance.now();
  #startedAt = this.#askedAt;
  #connection: Connection | undefined;
  #again: () => boolean = () => false;
  #isNew = true;
  #firstByteMs: number | undefined;
  #headers: AnswerHeaders = {};
  #controller: Controller | undefined;
  #ended = false;
  /** The response was read to its end: there is nothing to abort. */
  #complete = false;
  #status = 0;
  #retryAfter: string | undefined;
  #kept: Buffer[] = [];
  #keptBytes = 0;

  constructor(host: string, timeoutMs: number, done: (outcome: WebhookOutcome) => void) {
    this.#host = host;
    this.#done = done;
    this.#timeoutMs = timeoutMs;
  }

  /** Sets the connection that will carry the request once it is open; `again` sends the request on a new connection. */
  follow(connection: Connection, again: () => boolean): void {
    this.#connection = connection;
    this.#again = again;
  }

  /** The request has a connection: the time limit starts here, because only now does it depend on the receiver. */
  onRequestStart(controller: Controller): void {
    this.#controller = controller;
    if (this.#ended) return controller.abort(new Error('The exchange has ended.'));
    this.#isNew = this.#connection?.takeIsNew() ?? false;
    this.#connection?.bound(sizes.answerReadBytes, () => this.#exceeded());
    if (this.#timer !== undefined) return;
    this.#startedAt = performance.now();
    const late = (): void => this.fail('timeout', `no whole answer within ${this.#timeoutMs} ms`);
    // Reads what has already arrived first: after a standstill of this process, its timers fire before its sockets.
    this.#timer = setTimeout(() => setImmediate(late), this.#timeoutMs);
  }

  onResponseStart(_controller: Controller, status: number, headers: Headers): void {
    if (isInterim(status)) return;
    this.#status = status;
    this.#firstByteMs = this.#durationMs();
    this.#headers = definedOnly(headers);
    const retryAfter = headers['retry-after'];
    this.#retryAfter = Array.isArray(retryAfter) ? retryAfter[0] : retryAfter;
  }

  onResponseData(_controller: Controller, chunk: Buffer): void {
    const room = sizes.answerKeptBytes - this.#keptBytes;
    if (room <= 0) return;
    this.#kept.push(chunk.subarray(0, room));
    this.#keptBytes += chunk.length;
  }

  onResponseEnd(): void {
    this.#complete = true;
    this.#answer();
  }

  onResponseError(_controller: Controller, error: Error): void {
    const { failure, cause } = failureOf(error, this.#controller !== undefined);
    if (failure === 'closed' && this.#isSentAgain()) return;
    this.fail(failure, cause);
  }

  fail(failure: WebhookFailure, cause: string): void {
    this.#end({ kind: 'failed', failure, message: `${this.#host}: ${cause}`, ...this.#took() });
  }

  /**
   * If a reused connection closes before any byte of a response, it was almost certainly closed while it was idle, and
   * the receiver has not seen the request; if it has, it knows the `webhook-id`. The repeat has a new connection, so a
   * request is sent again at most once.
   */
  #isSentAgain(): boolean {
    if (this.#ended || this.#isNew || this.#connection?.receivedBytes !== 0) return false;
    this.#controller = undefined;
    return this.#again();
  }

  /** Ends the exchange at the limit of bytes: with the status, if it is known; no more of the body would be kept. */
  #exceeded(): void {
    if (this.#status !== 0) return this.#answer();
    this.fail('answer_too_long', `more than ${sizes.answerReadBytes / 1_024} KiB came, and no status among them`);
  }

  #answer(): void {
    const seconds = retryAfterSeconds(this.#retryAfter, Date.now());
    this.#end({
      kind: 'answered',
      status: this.#status,
      answer: this.#kept.length === 1 ? String(this.#kept[0]) : Buffer.concat(this.#kept).toString(),
      ...(seconds === undefined ? {} : { retryAfterSeconds: seconds }),
      headers: this.#headers,
      ...this.#took(),
    });
  }

  #durationMs(): number {
    return tenths(performance.now() - this.#startedAt);
  }

  #took(): { readonly durationMs: number; readonly trace: AttemptTrace } {
    const now = performance.now();
    const opening = this.#connection?.opening;
    const { address = null, dnsMs = null, connectMs = null, tlsMs = null } = opening ?? {};
    const [durationMs, totalMs] = [tenths(now - this.#startedAt), tenths(now - this.#askedAt)];
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

  #end(outcome: WebhookOutcome): void {
    if (this.#ended) return;
    this.#ended = true;
    clearTimeout(this.#timer);
    this.#done(outcome);
    if (!this.#complete) this.#controller?.abort(new Error('The exchange has ended.'));
  }
}

/** Whether the response is only interim, before the final one: 100, 102, 103. */
const isInterim = (status: number): boolean => status < 200;

const tenths = (ms: number): number => Math.round(ms * 10) / 10;

const definedOnly = (headers: Headers): AnswerHeaders =>
  Object.fromEntries(Object.entries(headers).filter((one): one is [string, string | string[]] => one[1] !== undefined));
