// How far everybody has come who reads a partition: what none of them needs any more may be given up.
import {
  flow,
  isOwning,
  stageNames,
  type OwningStage,
  type PassingTopic,
  type StageName,
} from '../../../domain/flow.ts';
import type { LogRecord, StoredRecord } from '../../../domain/message.ts';
import { positionKey, type Log, type Mark, type Positions } from '../../../log/index.ts';

/** The newest mark is among the last few offsets; further back the further it is looked. */
const firstReach = 16;
const reachFactor = 16;
const pageBounds = { recordsMax: 1_000, bytesMax: 1024 * 1024 };

export interface ReadersOptions {
  readonly log: Log;
  /** The views' checkpoint. */
  readonly checkpoint: () => Promise<Positions>;
}

export class Readers {
  readonly #options: ReadersOptions;

  constructor(options: ReadersOptions) {
    this.#options = options;
  }

  /**
   * The offset that every reader of the partition has passed; 0 while one of them has still to give up what the fact at
   * `factAt` of `retention` says.
   */
  async passed(topic: PassingTopic, partition: number, factAt: number): Promise<number> {
    let lowest = Infinity;
    for (const stage of stageNames) {
      if (!reads(stage, topic)) continue;
      const positions = await this.#positionsOf(stage, partition);
      const hasCut = !reads(stage, 'retention') || (positions[positionKey('retention', 0)] ?? 0) > factAt;
      lowest = Math.min(lowest, hasCut ? (positions[positionKey(topic, partition)] ?? 0) : 0);
    }
    return Number.isFinite(lowest) ? lowest : 0;
  }

  async #positionsOf(stage: StageName, partition: number): Promise<Positions> {
    if (!isOwning(stage)) return this.#options.checkpoint();
    return this.#newestMark(stage, flow[stage].owns === 'one' ? 0 : partition);
  }

  async #newestMark(stage: OwningStage, partition: number): Promise<Positions> {
    const { log } = this.#options;
    const topic = `marks.${stage}` as const;
    const end = await log.end(topic, partition);
    for (let reach = firstReach; ; reach *= reachFactor) {
      let newest: StoredRecord | undefined;
      for (let from = Math.max(0, end - reach); from < end;) {
        const page = await log.read(topic, partition, from, { ...pageBounds, to: end });
        newest = page.records.at(-1) ?? newest;
        if (page.next <= from) break;
        from = page.next;
      }
      if (newest !== undefined) return (newest as StoredRecord<LogRecord<'MarkMoved', Mark>>).data.positions;
      if (reach >= end) return {};
    }
  }
}

const reads = (stage: StageName, topic: PassingTopic | 'retention'): boolean =>
  flow[stage].reads.some((read) => read === topic);
