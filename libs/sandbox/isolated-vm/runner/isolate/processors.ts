// Limits how many isolates of a process compute at once, if it must leave processors to others; the rest queue.

interface QueuedTurn {
  readonly begin: () => Promise<void>;
  readonly cancel: () => void;
}

/** An isolate whose last turn was longer waits after those with short turns. */
const longTurnMs = 50;
/** Short turns that can precede a waiting long one, so that a quarter of the turns is left to long ones. */
const shortTurnsInRowMax = 3;

export class Processors {
  readonly #count: number;
  readonly #short: TurnQueue[] = [];
  readonly #long: TurnQueue[] = [];
  #busy = 0;
  #shortTurnsInRow = 0;

  constructor(count: number) {
    this.#count = count;
  }

  /** Calls `turnQueue.begin` at once or when a processor is free. Each call is followed by one `release`. */
  request(turnQueue: TurnQueue): void {
    (turnQueue.isLong ? this.#long : this.#short).push(turnQueue);
    this.#startNext();
  }

  release(): void {
    this.#busy--;
    this.#startNext();
  }

  cancel(turnQueue: TurnQueue): void {
    for (const queue of [this.#short, this.#long]) {
      const at = queue.indexOf(turnQueue);
      if (at >= 0) queue.splice(at, 1);
    }
  }

  #startNext(): void {
    if (this.#busy >= this.#count) return;
    const next = this.#takeNext();
    if (next === undefined) return;
    this.#busy++;
    void next.begin();
  }

  #takeNext(): TurnQueue | undefined {
    const isLongNext =
      this.#short.length === 0 || (this.#long.length > 0 && this.#shortTurnsInRow === shortTurnsInRowMax);
    this.#shortTurnsInRow = isLongNext || this.#long.length === 0 ? 0 : this.#shortTurnsInRow + 1;
    return (isLongNext ? this.#long : this.#short).shift();
  }
}

/** The queue of one isolate's turns: they run one after another, in the order of requests. */
export class TurnQueue {
  readonly #processors: Processors;
  readonly #queued: QueuedTurn[] = [];
  #isActive = false;
  #lastTurnMs = 0;
  #queuedMs = 0;
  #queuedAt: number | undefined;

  constructor(processors: Processors) {
    this.#processors = processors;
  }

  get isLong(): boolean {
    return this.#lastTurnMs > longTurnMs;
  }

  /** The total wait for other isolates, in milliseconds. */
  get queuedMs(): number {
    return this.#queuedMs + (this.#queuedAt === undefined ? 0 : performance.now() - this.#queuedAt);
  }

  run<T>(turn: () => Promise<T>): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const begin = (): Promise<void> => turn().then(resolve, reject);
    this.#queued.push({ begin, cancel: () => reject(new Error('The isolate has gone')) });
    if (!this.#isActive) this.#requestProcessor();
    return promise;
  }

  /** Rejects waiting turns; the one under way ends by itself. */
  close(): void {
    for (const { cancel } of this.#queued.splice(0)) cancel();
    if (this.#queuedAt === undefined) return;
    this.#processors.cancel(this);
    this.#endWait();
    this.#isActive = false;
  }

  /** Called by `Processors` when a processor is free. */
  async begin(): Promise<void> {
    this.#endWait();
    const from = performance.now();
    await this.#queued.shift()?.begin();
    this.#lastTurnMs = performance.now() - from;
    this.#isActive = false;
    // Queues before the release, so that this queue is considered too.
    if (this.#queued.length > 0) this.#requestProcessor();
    this.#processors.release();
  }

  #requestProcessor(): void {
    this.#isActive = true;
    this.#queuedAt = performance.now();
    this.#processors.request(this);
  }

  #endWait(): void {
    this.#queuedMs = this.queuedMs;
    this.#queuedAt = undefined;
  }
}
