// One POST and its answer, as undici's handler: what is kept of the answer, and when enough has been read.
import type { WebhookFailure, WebhookOutcome } from '../webhook.ts';
import { sizes } from '../../domain/sizes.ts';
import { retryAfterSeconds } from './retry-after.ts';
import { failureOf } from './failure.ts';

/** From the first byte sent to the last of the answer (docs/reference/delivery.md, "Attempts"); connecting has a limit of its own. */
export const totalTimeoutMs = 15_000;

interface Controller {
  abort(reason: Error): void;
}
type Headers = Readonly<Record<string, string | string[] | undefined>>;

export class Exchange {
  readonly #host: string;
  readonly #done: (outcome: WebhookOutcome) => void;
  readonly #timeoutMs: number;
  #timer: NodeJS.Timeout | undefined;
  #startedAt = performance.now();
  #controller: Controller | undefined;
  #ended = false;
  /** The answer was read to its end: there is nothing to abort. */
  #complete = false;
  #status = 0;
  #retryAfter: string | undefined;
  #kept: Buffer[] = [];
  #readBytes = 0;

  constructor(host: string, timeoutMs: number, done: (outcome: WebhookOutcome) => void) {
    this.#host = host;
    this.#done = done;
    this.#timeoutMs = timeoutMs;
  }

  /** It is on a connection: only from here on it is the receiver that is waited for. */
  onRequestStart(controller: Controller): void {
    this.#controller = controller;
    if (this.#ended) return controller.abort(new Error('The exchange has ended.'));
    this.#startedAt = performance.now();
    const late = (): void => this.fail('timeout', `no whole answer within ${this.#timeoutMs} ms`);
    this.#timer ??= setTimeout(late, this.#timeoutMs);
  }

  onResponseStart(_controller: Controller, status: number, headers: Headers): void {
    this.#status = status;
    const retryAfter = headers['retry-after'];
    this.#retryAfter = Array.isArray(retryAfter) ? retryAfter[0] : retryAfter;
  }

  onResponseData(_controller: Controller, chunk: Buffer): void {
    if (this.#readBytes < sizes.answerKeptBytes) {
      this.#kept.push(chunk.subarray(0, sizes.answerKeptBytes - this.#readBytes));
    }
    this.#readBytes += chunk.length;
    // The status is known and no more of the answer is kept: reading on would only serve the receiver's mistake.
    if (this.#readBytes > sizes.answerReadBytes) this.#answer();
  }

  onResponseEnd(): void {
    this.#complete = true;
    this.#answer();
  }

  onResponseError(_controller: Controller, error: Error): void {
    const { failure, cause } = failureOf(error, this.#controller !== undefined);
    this.fail(failure, cause);
  }

  fail(failure: WebhookFailure, cause: string): void {
    this.#end({ kind: 'failed', failure, message: `${this.#host}: ${cause}`, durationMs: this.#durationMs() });
  }

  #answer(): void {
    const seconds = retryAfterSeconds(this.#retryAfter, Date.now());
    this.#end({
      kind: 'answered',
      status: this.#status,
      answer: this.#kept.length === 1 ? String(this.#kept[0]) : Buffer.concat(this.#kept).toString(),
      ...(seconds === undefined ? {} : { retryAfterSeconds: seconds }),
      durationMs: this.#durationMs(),
    });
  }

  #durationMs(): number {
    return Math.round((performance.now() - this.#startedAt) * 10) / 10;
  }

  #end(outcome: WebhookOutcome): void {
    if (this.#ended) return;
    this.#ended = true;
    clearTimeout(this.#timer);
    this.#done(outcome);
    if (!this.#complete) this.#controller?.abort(new Error('The exchange has ended.'));
  }
}
