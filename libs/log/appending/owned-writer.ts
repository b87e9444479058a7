// The part of a writer that is the same on every engine: checks, the order of calls, and what follows a failure.
import type { OwningStage } from '../../domain/flow.ts';
import { PortError } from '../../domain/port-error.ts';
import { checkWriterMayAppend } from './access.ts';
import { encode, type Encoded } from './encoding.ts';
import { canWait, encodeAhead, encodeInTurns } from './encoding-in-turns.ts';
import { Writer, type Mark, type Outgoing, type Positions } from '../log.ts';

/** Identifies an owner to its engine: a newer owner of the partition has a higher generation. */
export interface Claim {
  readonly stage: OwningStage;
  readonly partition: number;
  readonly generation: number;
}

/** The operations that each engine implements for its writers. */
export interface MarkedAppends {
  /** The common partition count of partitioned topics. */
  readonly partitions: number;
  /**
   * Appends records and mark in call order, or throws PortError. Must refuse a claim once there is a newer one, and every
   * call made after a failed append.
   */
  append(claim: Claim, records: readonly Encoded[], mark: Mark): Promise<readonly number[]>;
  /** Before an append of many records: does in pieces the work that `append` would otherwise do at once. */
  prepare?(records: readonly Encoded[]): Promise<void>;
  /** Settles every earlier append of the claim and returns the mark that is on the log. */
  recover(claim: Claim): Promise<Mark>;
  /** Frees the resources of the claim. Called when all of its appends have ended. */
  release(claim: Claim): Promise<void>;
}

export class OwnedWriter extends Writer {
  readonly stage: OwningStage;
  readonly partition: number;
  readonly #appends: MarkedAppends;
  readonly #inFlight = new Set<Promise<unknown>>();
  #mark: Mark;
  /** Batch number of the last append that was begun. */
  #batch: number;
  #failure: unknown;
  /** Pending until the last append that is encoded in turns is encoded. */
  #encoding: Promise<void> | undefined;

  constructor(stage: OwningStage, partition: number, mark: Mark, appends: MarkedAppends) {
    super();
    this.stage = stage;
    this.partition = partition;
    this.#appends = appends;
    this.#mark = mark;
    this.#batch = mark.batch;
  }

  get mark(): Mark {
    return this.#mark;
  }

  async append(records: readonly Outgoing[], positions: Positions): Promise<readonly number[]> {
    if (this.#failure !== undefined) throw this.#refusal();
    try {
      checkWriterMayAppend(
        { stage: this.stage, partition: this.partition, partitions: this.#appends.partitions },
        records,
      );
      const isQuick = this.#encoding === undefined && !canWait(records);
      const appending = isQuick ? encode(records) : this.#prepared(records);
      if (!(appending instanceof Promise)) return await this.#track(this.#appendRows(appending, { ...positions }));
      return await this.#track(this.#appendInTurn(appending, { ...positions }));
    } catch (error) {
      this.#fail(error);
      throw error;
    }
  }

  async #prepared(records: readonly Outgoing[]): Promise<readonly Encoded[]> {
    const encoded = await encodeInTurns(records);
    await this.#appends.prepare?.(encoded);
    return encoded;
  }

  /** Waits for the appends that are still being encoded: calls are carried out in order. */
  async #appendInTurn(encoding: Promise<readonly Encoded[]>, positions: Positions): Promise<readonly number[]> {
    const before = this.#encoding;
    const encoded = Promise.all([encoding, before]);
    const over = encoded.then(
      () => {},
      () => {},
    );
    this.#encoding = over;
    try {
      const [rows] = await encoded;
      if (this.#failure !== undefined) throw this.#refusal();
      return await this.#appendRows(rows, positions);
    } catch (error) {
      // Set here, not only in append(): the next append might wait for nothing but this promise.
      this.#fail(error);
      throw error;
    } finally {
      if (this.#encoding === over) this.#encoding = undefined;
    }
  }

  async #appendRows(encoded: readonly Encoded[], positions: Positions): Promise<readonly number[]> {
    const mark: Mark = { positions, generation: this.#mark.generation, batch: ++this.#batch };
    const offsets = await this.#appends.append(this.#claim(), encoded, mark);
    if (mark.batch > this.#mark.batch) this.#mark = mark;
    return offsets;
  }

  encodeAhead<T extends Outgoing>(records: readonly T[]): Promise<readonly T[]> {
    return encodeAhead(records);
  }

  async recover(): Promise<Mark> {
    if (isFinal(this.#failure)) throw this.#failure;
    this.#fail(new PortError('unavailable', `${this.#name()} is being recovered; append after recover()`));
    await Promise.allSettled(this.#inFlight);
    try {
      const mark = await this.#appends.recover(this.#claim());
      if (isFinal(this.#failure)) throw this.#failure;
      this.#mark = mark;
      this.#batch = mark.batch;
      this.#failure = undefined;
      return mark;
    } catch (error) {
      this.#fail(error);
      throw error;
    }
  }

  async release(): Promise<void> {
    this.#fail(new PortError('closed', `${this.#name()} was released; own() the partition again to append`));
    await Promise.allSettled(this.#inFlight);
    await this.#appends.release(this.#claim());
  }

  /** The first failure is kept until recover() succeeds; only a final one replaces it. */
  #fail(error: unknown): void {
    if (this.#failure === undefined || (isFinal(error) && !isFinal(this.#failure))) this.#failure = error;
  }

  #refusal(): unknown {
    if (isFinal(this.#failure)) return this.#failure;
    return new PortError('unavailable', `an append of ${this.#name()} failed before: recover() first`, this.#failure);
  }

  #claim(): Claim {
    return { stage: this.stage, partition: this.partition, generation: this.#mark.generation };
  }

  #name(): string {
    return `the writer of ${this.stage}/${this.partition}`;
  }

  #track<T>(pending: Promise<T>): Promise<T> {
    this.#inFlight.add(pending);
    const done = (): boolean => this.#inFlight.delete(pending);
    pending.then(done, done);
    return pending;
  }
}

/** recover() cannot help: another owner has the partition, or this one has given it up. */
function isFinal(error: unknown): boolean {
  return error instanceof PortError && (error.code === 'fenced' || error.code === 'closed');
}
