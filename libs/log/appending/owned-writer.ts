// The part of a writer that is the same on every engine: checks, the order of calls, and what follows a failure.
import type { OwningStage } from '../../domain/flow.ts';
import { PortError } from '../../domain/port-error.ts';
import { checkWriterMayAppend } from './access.ts';
import { encode, type EncodedRecord } from './encoding.ts';
import { canEncodeInTurns, encodeAhead, encodeInTurns } from './encoding-in-turns.ts';
import { Writer, type Mark, type Outgoing, type Positions } from '../log.ts';

/** Identifies an owner to its engine: a newer owner of the partition has a higher generation. */
export interface Claim {
  readonly stage: OwningStage;
  readonly partition: number;
  readonly generation: number;
}

/** The operations that each engine implements for its writers. */
export interface WriterBackend {
  /** The common partition count of partitioned topics. */
  readonly partitions: number;
  /**
   * Appends records and mark in call order, or throws PortError. Must refuse a claim once there is a newer one, and every
   * call made after a failed append.
   */
  append(claim: Claim, records: readonly EncodedRecord[], mark: Mark): Promise<readonly number[]>;
  /** Before an append of many records: does in pieces the work that `append` would otherwise do at once. */
  prepare?(records: readonly EncodedRecord[]): Promise<void>;
  /** Settles every earlier append of the claim and returns the mark that is on the log. */
  recover(claim: Claim): Promise<Mark>;
  /** Frees the resources of the claim. Called when all of its appends have ended. */
  release(claim: Claim): Promise<void>;
}

export class OwnedWriter extends Writer {
  readonly stage: OwningStage;
  readonly partition: number;
  readonly #backend: WriterBackend;
  readonly #inFlight = new Set<Promise<unknown>>();
  #mark: Mark;
  /** Batch number of the last append that was begun. */
  #batch: number;
  #failure: unknown;
  /** Pending until the last append that is encoded in turns is encoded. */
  #encoding: Promise<void> | undefined;

  constructor(stage: OwningStage, partition: number, mark: Mark, backend: WriterBackend) {
    super();
    this.stage = stage;
    this.partition = partition;
    this.#backend = backend;
    this.#mark = mark;
    this.#batch = mark.batch;
  }

  get mark(): Mark {
    return this.#mark;
  }

  async append(records: readonly Outgoing[], positions: Positions): Promise<readonly number[]> {
    if (this.#failure !== undefined) throw this.#refusalError();
    try {
      checkWriterMayAppend(
        { stage: this.stage, partition: this.partition, partitions: this.#backend.partitions },
        records,
      );
      const canEncodeAtOnce = this.#encoding === undefined && !canEncodeInTurns(records);
      const appending = canEncodeAtOnce ? encode(records) : this.#encodeAndPrepare(records);
      if (!(appending instanceof Promise)) return await this.#track(this.#appendRows(appending, { ...positions }));
      return await this.#track(this.#appendInTurn(appending, { ...positions }));
    } catch (error) {
      this.#recordFailure(error);
      throw error;
    }
  }

  async #encodeAndPrepare(records: readonly Outgoing[]): Promise<readonly EncodedRecord[]> {
    const encoded = await encodeInTurns(records);
    await this.#backend.prepare?.(encoded);
    return encoded;
  }

  /** Waits for the appends that are still being encoded: calls are carried out in order. */
  async #appendInTurn(encoding: Promise<readonly EncodedRecord[]>, positions: Positions): Promise<readonly number[]> {
    const previous = this.#encoding;
    const encoded = Promise.all([encoding, previous]);
    const settled = encoded.then(
      () => {},
      () => {},
    );
    this.#encoding = settled;
    try {
      const [rows] = await encoded;
      if (this.#failure !== undefined) throw this.#refusalError();
      return await this.#appendRows(rows, positions);
    } catch (error) {
      // Set here, not only in append(): the next append might wait for nothing but this promise.
      this.#recordFailure(error);
      throw error;
    } finally {
      if (this.#encoding === settled) this.#encoding = undefined;
    }
  }

  async #appendRows(encoded: readonly EncodedRecord[], positions: Positions): Promise<readonly number[]> {
    const mark: Mark = { positions, generation: this.#mark.generation, batch: ++this.#batch };
    const offsets = await this.#backend.append(this.#claim(), encoded, mark);
    if (mark.batch > this.#mark.batch) this.#mark = mark;
    return offsets;
  }

  encodeAhead<T extends Outgoing>(records: readonly T[]): Promise<readonly T[]> {
    return encodeAhead(records);
  }

  async recover(): Promise<Mark> {
    if (isTerminalError(this.#failure)) throw this.#failure;
    this.#recordFailure(new PortError('unavailable', `${this.#label()} is being recovered; append after recover()`));
    await Promise.allSettled(this.#inFlight);
    try {
      const mark = await this.#backend.recover(this.#claim());
      if (isTerminalError(this.#failure)) throw this.#failure;
      this.#mark = mark;
      this.#batch = mark.batch;
      this.#failure = undefined;
      return mark;
    } catch (error) {
      this.#recordFailure(error);
      throw error;
    }
  }

  async release(): Promise<void> {
    this.#recordFailure(new PortError('closed', `${this.#label()} was released; own() the partition again to append`));
    await Promise.allSettled(this.#inFlight);
    await this.#backend.release(this.#claim());
  }

  /** The first failure is kept until recover() succeeds; only a final one replaces it. */
  #recordFailure(error: unknown): void {
    if (this.#failure === undefined || (isTerminalError(error) && !isTerminalError(this.#failure)))
      this.#failure = error;
  }

  #refusalError(): unknown {
    if (isTerminalError(this.#failure)) return this.#failure;
    return new PortError('unavailable', `an append of ${this.#label()} failed before: recover() first`, this.#failure);
  }

  #claim(): Claim {
    return { stage: this.stage, partition: this.partition, generation: this.#mark.generation };
  }

  #label(): string {
    return `the writer of ${this.stage}/${this.partition}`;
  }

  #track<T>(pending: Promise<T>): Promise<T> {
    this.#inFlight.add(pending);
    const untrack = (): boolean => this.#inFlight.delete(pending);
    pending.then(untrack, untrack);
    return pending;
  }
}

/** recover() cannot help: another owner has the partition, or this one has given it up. */
function isTerminalError(error: unknown): boolean {
  return error instanceof PortError && (error.code === 'fenced' || error.code === 'closed');
}
