// The two doors of one isolate to the host's cryptography, whose work is charged to the isolate's processor time.
import { isQuick } from '../../wire.ts';
import { bytesOf } from './costs.ts';
import { answer, type Answer } from './operations.ts';
import type { CryptoWorkers } from './workers.ts';

const tooMuch: Answer = ['This operation takes too long to be answered at once'];

export class CryptoDoors {
  readonly #workers: CryptoWorkers;
  #spentNs = 0;
  #queuedMs = 0;
  #queuedFrom: number | undefined;

  constructor(workers: CryptoWorkers) {
    this.#workers = workers;
  }

  /** Nanoseconds of processor time spent for this isolate. */
  get spentNs(): bigint {
    return BigInt(Math.round(this.#spentNs));
  }

  /** Milliseconds that this isolate has waited for operations of others, in total. */
  get queuedMs(): number {
    return this.#queuedMs + (this.#queuedFrom === undefined ? 0 : performance.now() - this.#queuedFrom);
  }

  /** Runs on the calling thread. Never throws. */
  quick(name: unknown, ...args: unknown[]): Answer {
    if (typeof name !== 'string' || !isQuick(name, bytesOf(args))) return tooMuch;
    const from = performance.now();
    const told = answer(name, ...args);
    this.#spentNs += (performance.now() - from) * 1e6;
    return told;
  }

  /** Runs on a worker thread. Never rejects. */
  async slow(name: unknown, ...args: unknown[]): Promise<Answer> {
    if (typeof name !== 'string') return ['This operation is not known'];
    this.#queuedFrom = performance.now();
    const done = await this.#workers.run({ name, args }, () => this.#leaveLine());
    this.#leaveLine();
    this.#spentNs += done.cpuNs;
    return done.answer;
  }

  #leaveLine(): void {
    this.#queuedMs = this.queuedMs;
    this.#queuedFrom = undefined;
  }
}
