// One POST and its answer, as undici's handler: what is kept of the answer, and when enough has been read.
import type { WebhookFailure, WebhookOutcome } from '../webhook.ts';
import { sizes } from '../../domain/sizes.ts';
import { retryAfterSeconds } from './retry-after.ts';
import { failureOf } from './failure.ts';

/** From the first byte sent to the last of the answer, connecting included (delivery.md 6.1). */
export const totalTimeoutMs = 15_000;
/** Beyond this a request has waited for a free connection, not for its own: the waiting does not count against it. */
const queuedMs = 3_500;

interface Controller {
  abort(reason: Error): void;
}
type Headers = Readonly<Record<string, string | string[] | undefined>>;

export class Exchange {
  readonly #host: string;
  readonly #done: (outcome: WebhookOutcome) => void;
  readonly #timer: NodeJS.Timeout;
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
    this.#timer = setTimeout(() => this.fail('timeout', `no whole answer within ${timeoutMs} ms`), timeoutMs);
  }

  onRequestStart(controller: Controller): void {
    this.#controller = controller;
    if (this.#ended) controller.abort(new Error('The exchange has ended.'));
    else if (performance.now() - this.#startedAt > queuedMs) {
      this.#startedAt = performance.now();
      this.#timer.refresh();
    }
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
