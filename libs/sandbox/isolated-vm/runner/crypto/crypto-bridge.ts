// An isolate's access, quick or slow, to the host's cryptography, whose work is charged to the isolate's processor time.
import { isQuickOperation } from '../../wire.ts';
import { bytesOf } from './costs.ts';
import { runOperation, type OperationResult } from './operations.ts';
import type { CryptoWorkers } from './workers.ts';

const tooCostly: OperationResult = ['This operation takes too long to be answered at once'];

export class CryptoBridge {
  readonly #workers: CryptoWorkers;
  #spentNs = 0;
  #queuedMs = 0;
  #queuedAt: number | undefined;

  constructor(workers: CryptoWorkers) {
    this.#workers = workers;
  }

  /** Nanoseconds of processor time spent for this isolate. */
  get spentNs(): bigint {
    return BigInt(Math.round(this.#spentNs));
  }

  /** Milliseconds that this isolate has waited for operations of others, in total. */
  get queuedMs(): number {
    return this.#queuedMs + (this.#queuedAt === undefined ? 0 : performance.now() - this.#queuedAt);
  }

  /** Runs on the calling thread. Never throws. */
  runQuick(name: unknown, ...args: unknown[]): OperationResult {
    if (typeof name !== 'string' || !isQuickOperation(name, bytesOf(args))) return tooCostly;
    const from = performance.now();
    const result = runOperation(name, ...args);
    this.#spentNs += (performance.now() - from) * 1e6;
    return result;
  }

  /** Runs on a worker thread. Never rejects. */
  async runSlow(name: unknown, ...args: unknown[]): Promise<OperationResult> {
    if (typeof name !== 'string') return ['This operation is not known'];
    this.#queuedAt = performance.now();
    const done = await this.#workers.run({ name, args }, () => this.#endWait());
    this.#endWait();
    this.#spentNs += done.cpuNs;
    return done.answer;
  }

  #endWait(): void {
    this.#queuedMs = this.queuedMs;
    this.#queuedAt = undefined;
  }
}
