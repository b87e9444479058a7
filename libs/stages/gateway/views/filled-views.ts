// Makes reads of the views wait while these are filled from the log, since a part of them would look like all there is.
// Views are empty after an upgrade that has changed them, or if their file was removed.
import { setTimeout as delay } from 'node:timers/promises';
import { inputsOf } from '../../../domain/flow.ts';
import type { Millis } from '../../../domain/message.ts';
import { PortError } from '../../../domain/port-error.ts';
import { positionKey } from '../../../log/log.ts';
import type { Log, Position, Positions } from '../../../log/log.ts';
import { LiveBuild } from '../../../view-store/live-build.ts';
import type {
  ViewBuild,
  ViewCount,
  ViewDocument,
  ViewGroup,
  ViewIndexKey,
  ViewQuery,
} from '../../../view-store/view-store.ts';

const defaults = {
  now: Date.now,
  /** Views that lack only younger records are merely behind, as always a little and after a crash: they are read. */
  lagMs: 10 * 60_000,
  /** How long a read waits before it is rejected. */
  waitMs: 2_000,
  pollMs: 100,
  /** Views that do not advance for this time are read anyway: no projection runs, and they might be complete. */
  stalledMs: 10_000,
};
const oneRecord = { recordsMax: 1, bytesMax: 1 };

export class UnfilledError extends PortError {
  constructor() {
    super('unavailable', 'The views are being filled from the log.');
  }
}

export class FilledViews extends LiveBuild {
  readonly #live: ViewBuild;
  readonly #log: Pick<Log, 'end' | 'read' | 'partitions'>;
  readonly #times: typeof defaults;
  /** Where the log ended at the first look, for each partition that the views have not passed yet. */
  #remainingEnds: readonly Position[] | undefined;
  /** Whether the views were empty at the first look: then they must read all that is left, even young records. */
  #wereEmpty = false;
  readonly #openedAt: Millis;
  #runningCheck: Promise<boolean> | undefined;
  #isFilled = false;
  #lastPositions = '';
  #advancedAt = 0;

  constructor(live: ViewBuild, log: Pick<Log, 'end' | 'read' | 'partitions'>, times: Partial<typeof defaults> = {}) {
    super(() => live);
    this.#live = live;
    this.#log = log;
    this.#times = { ...defaults, ...times };
    this.#openedAt = this.#times.now();
    // Looks before a projection in this process begins to fill them.
    this.#checkFilled().catch(() => undefined);
  }

  override async get(view: string, id: string): Promise<ViewDocument | undefined> {
    if (!this.#isFilled) await this.#waitUntilFilled();
    return super.get(view, id);
  }

  override async getMany(view: string, ids: readonly string[]): Promise<readonly (ViewDocument | undefined)[]> {
    if (!this.#isFilled) await this.#waitUntilFilled();
    return super.getMany(view, ids);
  }

  override async find(view: string, query: ViewQuery): Promise<readonly ViewDocument[]> {
    if (!this.#isFilled) await this.#waitUntilFilled();
    return super.find(view, query);
  }

  override async findKeys(view: string, query: ViewQuery): Promise<readonly ViewIndexKey[]> {
    if (!this.#isFilled) await this.#waitUntilFilled();
    return super.findKeys(view, query);
  }

  override async highest(view: string, query: ViewGroup): Promise<string | number | undefined> {
    if (!this.#isFilled) await this.#waitUntilFilled();
    return super.highest(view, query);
  }

  override async count(view: string, query: ViewCount): Promise<number> {
    if (!this.#isFilled) await this.#waitUntilFilled();
    return super.count(view, query);
  }

  async #waitUntilFilled(): Promise<void> {
    const deadline = performance.now() + this.#times.waitMs;
    while (!(await this.#checkFilled())) {
      if (performance.now() >= deadline) throw new UnfilledError();
      await delay(this.#times.pollMs, undefined, { ref: false });
    }
  }

  /** All waiting reads share one look. */
  #checkFilled(): Promise<boolean> {
    this.#runningCheck ??= this.#check().finally(() => (this.#runningCheck = undefined));
    return this.#runningCheck;
  }

  async #check(): Promise<boolean> {
    const positions = await this.#live.checkpoint();
    this.#remainingEnds ??= await this.#readEnds(positions);
    if (this.#remainingEnds === undefined) return false;
    const remaining: Position[] = [];
    for (const position of this.#remainingEnds)
      if (!(await this.#hasPassed(position, positions))) remaining.push(position);
    this.#remainingEnds = remaining;
    this.#isFilled = remaining.length === 0 || this.#isStalled(remaining, positions);
    return this.#isFilled;
  }

  /** The log's ends. Undefined: the views are beyond them: they were made from another log and will be emptied. */
  async #readEnds(positions: Positions): Promise<Position[] | undefined> {
    const reads = inputsOf('projection', this.#log.partitions).map(async ({ topic, partition }) => {
      return { topic, partition, offset: await this.#log.end(topic, partition) };
    });
    const ends = await Promise.all(reads);
    const isAhead = ends.some(
      ({ topic, partition, offset }) => (positions[positionKey(topic, partition)] ?? 0) > offset,
    );
    this.#wereEmpty ||= isAhead || Object.keys(positions).length === 0;
    return isAhead ? undefined : ends;
  }

  /** Reads the log, since there might be no record between the views and the end: on some logs offsets have gaps. */
  async #hasPassed({ topic, partition, offset: to }: Position, positions: Positions): Promise<boolean> {
    const from = positions[positionKey(topic, partition)] ?? 0;
    if (from >= to) return true;
    const [next] = (await this.#log.read(topic, partition, from, { ...oneRecord, to })).records;
    if (next === undefined) return true;
    return !this.#wereEmpty && next.at > this.#openedAt - this.#times.lagMs;
  }

  /** Whether the views have not advanced for `stalledMs`; never true of empty views. */
  #isStalled(remaining: readonly Position[], positions: Positions): boolean {
    const reached = JSON.stringify(remaining.map(({ topic, partition }) => positions[positionKey(topic, partition)]));
    const now = performance.now();
    if (reached !== this.#lastPositions) this.#advancedAt = now;
    this.#lastPositions = reached;
    return Object.keys(positions).length > 0 && now - this.#advancedAt >= this.#times.stalledMs;
  }
}
