// Finds the offset that all readers of a partition have passed: earlier records can be deleted.
import {
  flow,
  isOwning,
  stageNames,
  type OwningStage,
  type ExpiringTopic,
  type StageName,
} from '../../../domain/flow.ts';
import type { LogRecord, StoredRecord } from '../../../domain/message.ts';
import { positionKey, type Log, type Mark, type Positions } from '../../../log/index.ts';
import { newestRecord } from '../../loop/restoring/for-each-record.ts';

/** The newest mark is usually among the last few offsets; each further read begins further back. */
const firstReach = 16;
const reachFactor = 16;

export interface ReaderPositionsOptions {
  readonly log: Log;
  /** The views' checkpoint. */
  readonly checkpoint: () => Promise<Positions>;
}

export class ReaderPositions {
  readonly #options: ReaderPositionsOptions;

  constructor(options: ReaderPositionsOptions) {
    this.#options = options;
  }

  /**
   * Returns the offset that every reader of the partition has passed; 0 while a reader has not applied the fact at
   * offset `factAt` of `retention`.
   */
  async passedByAll(topic: ExpiringTopic, partition: number, factAt: number): Promise<number> {
    let lowest = Infinity;
    for (const stage of stageNames) {
      if (!reads(stage, topic)) continue;
      const positions = await this.#positionsOf(stage, partition);
      const hasApplied = !reads(stage, 'retention') || (positions[positionKey('retention', 0)] ?? 0) > factAt;
      lowest = Math.min(lowest, hasApplied ? (positions[positionKey(topic, partition)] ?? 0) : 0);
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
      const newest = await newestRecord(log, { topic, partition, from: Math.max(0, end - reach), to: end });
      if (newest !== undefined) return (newest as StoredRecord<LogRecord<'MarkMoved', Mark>>).data.positions;
      if (reach >= end) return {};
    }
  }
}

const reads = (stage: StageName, topic: ExpiringTopic | 'retention'): boolean =>
  flow[stage].reads.some((read) => read === topic);
