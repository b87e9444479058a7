// Limits how many isolates of a process compute at once, if it must leave processors to others; the rest wait in line.

interface Waiting {
  readonly begin: () => Promise<void>;
  readonly leave: () => void;
}

/** An isolate whose last turn was longer waits after those with short turns. */
const longTurnMs = 50;
/** Short turns that can precede a waiting long one, so that a quarter of the turns is left to long ones. */
const passedMax = 3;

export class Processors {
  readonly #count: number;
  readonly #short: Seat[] = [];
  readonly #long: Seat[] = [];
  #taken = 0;
  #passed = 0;

  constructor(count: number) {
    this.#count = count;
  }

  /** Calls `seat.begin` at once or when a processor is free. Each call is followed by one `release`. */
  ask(seat: Seat): void {
    (seat.isLong ? this.#long : this.#short).push(seat);
    this.#advance();
  }

  release(): void {
    this.#taken--;
    this.#advance();
  }

  forget(seat: Seat): void {
    for (const line of [this.#short, this.#long]) {
      const at = line.indexOf(seat);
      if (at >= 0) line.splice(at, 1);
    }
  }

  #advance(): void {
    if (this.#taken >= this.#count) return;
    const next = this.#next();
    if (next === undefined) return;
    this.#taken++;
    void next.begin();
  }

  #next(): Seat | undefined {
    const isLongNext = this.#short.length === 0 || (this.#long.length > 0 && this.#passed === passedMax);
    this.#passed = isLongNext || this.#long.length === 0 ? 0 : this.#passed + 1;
    return (isLongNext ? this.#long : this.#short).shift();
  }
}

/** One isolate's place in the line: its turns run one after another, in the order of requests. */
export class Seat {
  readonly #processors: Processors;
  readonly #waiting: Waiting[] = [];
  #isOut = false;
  #lastMs = 0;
  #queuedMs = 0;
  #queuedFrom: number | undefined;

  constructor(processors: Processors) {
    this.#processors = processors;
  }

  get isLong(): boolean {
    return this.#lastMs > longTurnMs;
  }

  /** The total wait for other isolates, in milliseconds. */
  get queuedMs(): number {
    return this.#queuedMs + (this.#queuedFrom === undefined ? 0 : performance.now() - this.#queuedFrom);
  }

  run<T>(turn: () => Promise<T>): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const begin = (): Promise<void> => turn().then(resolve, reject);
    this.#waiting.push({ begin, leave: () => reject(new Error('The isolate has gone')) });
    if (!this.#isOut) this.#ask();
    return promise;
  }

  /** Rejects waiting turns; the one under way ends by itself. */
  leave(): void {
    for (const { leave } of this.#waiting.splice(0)) leave();
    if (this.#queuedFrom === undefined) return;
    this.#processors.forget(this);
    this.#begun();
    this.#isOut = false;
  }

  /** Called by `Processors` when a processor is free. */
  async begin(): Promise<void> {
    this.#begun();
    const from = performance.now();
    await this.#waiting.shift()?.begin();
    this.#lastMs = performance.now() - from;
    this.#isOut = false;
    // Queues before the release, so that this seat is considered too.
    if (this.#waiting.length > 0) this.#ask();
    this.#processors.release();
  }

  #ask(): void {
    this.#isOut = true;
    this.#queuedFrom = performance.now();
    this.#processors.ask(this);
  }

  #begun(): void {
    this.#queuedMs = this.queuedMs;
    this.#queuedFrom = undefined;
  }
}
