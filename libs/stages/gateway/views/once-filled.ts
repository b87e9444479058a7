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
  ViewPlace,
  ViewQuery,
} from '../../../view-store/view-store.ts';

const defaults = {
  now: Date.now,
  /** Views that lack only younger records are merely behind, as always a little and after a crash: they are read. */
  behindMs: 10 * 60_000,
  /** How long a read waits before it is rejected. */
  waitMs: 2_000,
  lookMs: 100,
  /** Views that do not advance for this time are read anyway: no projection runs, and they might be complete. */
  stillMs: 10_000,
};
const oneRecord = { recordsMax: 1, bytesMax: 1 };

export class UnfilledError extends PortError {
  constructor() {
    super('unavailable', 'The views are being filled from the log.');
  }
}

export class OnceFilled extends LiveBuild {
  readonly #live: ViewBuild;
  readonly #log: Pick<Log, 'end' | 'read' | 'partitions'>;
  readonly #times: typeof defaults;
  /** Where the log ended at the first look, for each partition that the views have not passed yet. */
  #left: readonly Position[] | undefined;
  /** Whether the views were empty at the first look: then they must read all that is left, even young records. */
  #wereEmpty = false;
  readonly #openedAt: Millis;
  #looking: Promise<boolean> | undefined;
  #isFilled = false;
  #passed = '';
  #movedAt = 0;

  constructor(live: ViewBuild, log: Pick<Log, 'end' | 'read' | 'partitions'>, times: Partial<typeof defaults> = {}) {
    super(() => live);
    this.#live = live;
    this.#log = log;
    this.#times = { ...defaults, ...times };
    this.#openedAt = this.#times.now();
    // Looks before a projection in this process begins to fill them.
    this.#looked().catch(() => undefined);
  }

  override async get(view: string, id: string): Promise<ViewDocument | undefined> {
    if (!this.#isFilled) await this.#filled();
    return super.get(view, id);
  }

  override async getMany(view: string, ids: readonly string[]): Promise<readonly (ViewDocument | undefined)[]> {
    if (!this.#isFilled) await this.#filled();
    return super.getMany(view, ids);
  }

  override async find(view: string, query: ViewQuery): Promise<readonly ViewDocument[]> {
    if (!this.#isFilled) await this.#filled();
    return super.find(view, query);
  }

  override async places(view: string, query: ViewQuery): Promise<readonly ViewPlace[]> {
    if (!this.#isFilled) await this.#filled();
    return super.places(view, query);
  }

  override async highest(view: string, query: ViewGroup): Promise<string | number | undefined> {
    if (!this.#isFilled) await this.#filled();
    return super.highest(view, query);
  }

  override async count(view: string, query: ViewCount): Promise<number> {
    if (!this.#isFilled) await this.#filled();
    return super.count(view, query);
  }

  async #filled(): Promise<void> {
    const deadline = performance.now() + this.#times.waitMs;
    while (!(await this.#looked())) {
      if (performance.now() >= deadline) throw new UnfilledError();
      await delay(this.#times.lookMs, undefined, { ref: false });
    }
  }

  /** All waiting reads share one look. */
  #looked(): Promise<boolean> {
    this.#looking ??= this.#look().finally(() => (this.#looking = undefined));
    return this.#looking;
  }

  async #look(): Promise<boolean> {
    const positions = await this.#live.checkpoint();
    this.#left ??= await this.#begun(positions);
    if (this.#left === undefined) return false;
    const left: Position[] = [];
    for (const position of this.#left) if (!(await this.#hasPassed(position, positions))) left.push(position);
    this.#left = left;
    this.#isFilled = left.length === 0 || this.#standsStill(left, positions);
    return this.#isFilled;
  }

  /** The log's ends. Undefined: the views are beyond them: they were made from another log and will be emptied. */
  async #begun(positions: Positions): Promise<Position[] | undefined> {
    const places = inputsOf('projection', this.#log.partitions).map(async ({ topic, partition }) => {
      return { topic, partition, offset: await this.#log.end(topic, partition) };
    });
    const ends = await Promise.all(places);
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
    return !this.#wereEmpty && next.at > this.#openedAt - this.#times.behindMs;
  }

  /** Whether the views have not advanced for `stillMs`; never true of empty views. */
  #standsStill(left: readonly Position[], positions: Positions): boolean {
    const passed = JSON.stringify(left.map(({ topic, partition }) => positions[positionKey(topic, partition)]));
    const now = performance.now();
    if (passed !== this.#passed) this.#movedAt = now;
    this.#passed = passed;
    return Object.keys(positions).length > 0 && now - this.#movedAt >= this.#times.stillMs;
  }
}
