// Runs a stage in all the partitions it owns in this process.
import type { Logger } from 'pino';
import { flow } from '../../domain/flow.ts';
import type { TopicName } from '../../domain/flow.ts';
import type { LogRecord, StoredRecord } from '../../domain/message.ts';
import type { Log, Outgoing } from '../../log/log.ts';
import { notable } from './telling/notable.ts';
import { PartitionLoop } from './partition-loop.ts';
import type { Stage } from './stage.ts';
import { Warnings } from './telling/warnings.ts';

/** Records of these topics are told at `info`; the rest, thousands a second, at `debug`. */
const controlPlane: ReadonlySet<string> = new Set<TopicName>([
  'commands',
  'components',
  'hooks',
  'listeners',
  'workspaces',
]);
/** A turn takes a second at most when quiet: a loop this long without one is stalled, not slow. */
export const stalledAfterMs = 30_000;

export class StageLoop {
  readonly #stage: Stage;
  readonly #log: Log;
  readonly #logger: Logger;
  readonly #warnings: Warnings;
  #loops: PartitionLoop[] = [];
  #running: Promise<unknown> = Promise.resolve();

  constructor(stage: Stage, log: Log, logger: Logger) {
    this.#stage = stage;
    this.#log = log;
    this.#logger = logger.child({ stage: stage.name });
    this.#warnings = new Warnings(this.#logger);
  }

  get name(): string {
    return this.#stage.name;
  }

  /** Whether each partition's loop has turned within `stalledAfterMs`. */
  get healthy(): boolean {
    return this.#loops.every((loop) => loop.idleMs < stalledAfterMs);
  }

  /** Begins in the background. `onFatal` gets what no recovery helps against: the process should end. */
  start(onFatal: (error: unknown) => void): void {
    const count = flow[this.#stage.name].owns === 'one' ? 1 : this.#log.partitions;
    this.#loops = Array.from({ length: count }, (_, partition) => this.#partitionLoop(partition));
    this.#running = Promise.all(this.#loops.map((loop) => loop.run().catch((error: unknown) => onFatal(error))));
  }

  /** Drains for at most `drainMs`, appends what was drained, and ends the stage. */
  async stop(drainMs: number): Promise<void> {
    for (const loop of this.#loops) loop.stop(drainMs);
    await this.#running;
    await this.#stage.close();
  }

  #partitionLoop(partition: number): PartitionLoop {
    return new PartitionLoop({
      stage: this.#stage,
      log: this.#log,
      partition,
      handled: (records, durationMs) => this.#tell(records, partition, durationMs),
      appended: (records) => this.#warn(records),
      recovering: (error, waitMs) =>
        this.#logger.warn({ partition, code: error.code, waitMs, err: error }, 'recovering from the last mark'),
    });
  }

  /** What every partition reads is told by the first of them only. */
  #tell(records: readonly StoredRecord[], partition: number, durationMs: number): void {
    const debug = this.#logger.isLevelEnabled('debug');
    for (const record of records) {
      const told = controlPlane.has(record.topic) && (partition === 0 || record.partition === partition);
      if (told) this.#logger.info(line(record, durationMs), 'handled');
      else if (debug) this.#logger.debug(line(record, durationMs), 'handled');
    }
  }

  #warn(records: readonly Outgoing[]): void {
    for (const { record } of records) {
      const told = notable(record);
      if (told !== undefined) this.#warnings.warn({ workspace: record.workspace, ...told.details }, told.message);
    }
  }
}

function line(record: StoredRecord<LogRecord>, durationMs: number): object {
  const { type, topic, partition, offset, key, workspace, correlationId } = record;
  return {
    type,
    topic,
    partition,
    offset,
    key,
    workspace,
    correlationId,
    durationMs: Math.round(durationMs * 10) / 10,
  };
}
