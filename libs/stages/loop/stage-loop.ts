// Runs a stage in every partition that this process owns, and follows changes of ownership.
import type { Logger } from 'pino';
import type { TopicName } from '../../domain/flow.ts';
import type { LogRecord, StoredRecord } from '../../domain/message.ts';
import { PortError } from '../../domain/port-error.ts';
import type { Log, OutgoingOn } from '../../log/log.ts';
import type { Ownership } from '../../log/ownership.ts';
import { SoleOwner } from '../../log/sole-owner.ts';
import { Metrics } from '../../primitives/metrics/metrics.ts';
import { resolvesInTime } from '../../primitives/time-limit.ts';
import { GroupMember } from './group-member.ts';
import type { Input } from './measuring/loop-figures.ts';
import { StageMetrics } from './measuring/stage-metrics.ts';
import { PartitionLoop } from './partition-loop.ts';
import { CheckedLog } from './reading/checked-log.ts';
import { AlertingReporter } from './reading/alerting-reporter.ts';
import type { Stage } from './stage.ts';
import { noAlerts } from './alerts/alerts.ts';
import type { Alerts } from './alerts/alerts.ts';
import { noticeOf } from './reporting/notices.ts';
import { stalledAfterMs, stalledText } from './reporting/stalled.ts';
import { Warnings } from './reporting/warnings.ts';

/** Records of these topics are logged at `info`; the others, thousands a second, at `debug`. */
const controlPlane: ReadonlySet<string> = new Set<TopicName>([
  'commands',
  'components',
  'hooks',
  'listeners',
  'workspaces',
]);
/** How long running work can take to end at a hand-over: every process that shares the stage waits for it. */
const handOverDrainMs = 1_000;
/** After this the partition is handed over even if work hangs: the next owner's fencing keeps that harmless. */
const handOverMaxMs = 3_000;
/** A process that was suspended learns of its lost partitions one by one: after this wait it rejoins once for all. */
const rejoinAfterMs = 250;

interface RunningLoop {
  readonly loop: PartitionLoop;
  /** Never rejects. */
  readonly ended: Promise<void>;
}

/** Without `ownership` this process owns every partition; without the others trouble and metrics are not reported. */
export interface StageLoopOptions {
  readonly ownership?: Ownership;
  readonly alerts?: Alerts;
  readonly metrics?: Metrics;
}

export class StageLoop {
  readonly #stage: Stage;
  readonly #log: CheckedLog;
  readonly #reporter: AlertingReporter;
  readonly #alerts: Alerts;
  readonly #logger: Logger;
  readonly #warnings: Warnings;
  readonly #metrics: StageMetrics;
  readonly #ownership: Ownership;
  /** The loops of the partitions that are owned now. */
  readonly #owned = new Map<number, RunningLoop>();
  /** Loops of partitions no longer owned that have not ended yet. */
  readonly #ending = new Set<RunningLoop>();
  readonly #member = new GroupMember();
  #isRejoinDue = false;
  #onFatal: (error: unknown) => void = () => {};
  #stopping = false;

  constructor(stage: Stage, log: Log, logger: Logger, options: StageLoopOptions = {}) {
    const { ownership = new SoleOwner(log.partitions), alerts = noAlerts, metrics = new Metrics() } = options;
    this.#stage = stage;
    this.#logger = logger.child({ stage: stage.name });
    this.#alerts = alerts;
    this.#reporter = new AlertingReporter(alerts, this.#logger);
    this.#log = new CheckedLog(log, this.#reporter);
    this.#warnings = new Warnings(this.#logger);
    this.#metrics = new StageMetrics(metrics, stage.name);
    this.#ownership = ownership;
  }

  get name(): Stage['name'] {
    return this.#stage.name;
  }

  /** Whether the loop of every owned partition turns and reads; a process that owns none is on standby, so healthy. */
  get healthy(): boolean {
    return this.trouble === undefined;
  }

  /** Why it is unhealthy: a newer record stops a partition, the stage is in trouble, or no turn in `stalledAfterMs`. */
  get trouble(): string | undefined {
    const loops = [...this.#owned.values()].map(({ loop }) => loop);
    const standstill = loops.find((loop) => loop.standstill !== undefined)?.standstill;
    if (standstill !== undefined) return standstill.message;
    if (this.#stage.trouble !== undefined) return this.#stage.trouble;
    const stalled = loops.find(({ idleMs }) => idleMs >= stalledAfterMs);
    return stalled && stalledText(stalled.failure);
  }

  get idleMs(): number {
    return Math.max(0, ...[...this.#owned.values()].map(({ loop }) => loop.idleMs));
  }

  get inputs(): readonly Input[] {
    return [...this.#owned].flatMap(([owned, { loop }]) => loop.inputs.map((position) => ({ ...position, owned })));
  }

  /** Begins in the background. `onFatal` is called with errors that no recovery can fix: the process should end. */
  start(onFatal: (error: unknown) => void): void {
    this.#onFatal = onFatal;
    this.#member.join(this.#ownership, this.name, (owned) => this.#applyOwnership(owned), onFatal);
  }

  /** Drains for at most `drainMs`, appends the drained outputs, hands the partitions over, and closes the stage. */
  async stop(drainMs: number): Promise<void> {
    this.#stopping = true;
    for (const partition of [...this.#owned.keys()]) this.#endLoop(partition, drainMs);
    await Promise.all([...this.#ending].map(({ ended }) => ended));
    await this.#member.leave();
    await this.#stage.close();
  }

  async #applyOwnership(owned: readonly number[]): Promise<void> {
    if (this.#stopping) return;
    const gained = owned.filter((partition) => !this.#owned.has(partition));
    const released = [...this.#owned.keys()].filter((partition) => !owned.includes(partition));
    if (gained.length > 0 || released.length > 0)
      this.#logger.info({ owned, gained, given: released }, 'owned partitions changed');
    for (const partition of gained) this.#startLoop(partition);
    const ended = released.map((partition) => this.#endLoop(partition, handOverDrainMs));
    const allEnded = await resolvesInTime(Promise.all(ended), handOverMaxMs);
    if (!allEnded) this.#logger.warn({ given: released, handOverMaxMs }, 'handed on before everything had ended');
  }

  #startLoop(partition: number): void {
    const loop = this.#partitionLoop(partition);
    const ended = loop.run().catch((error: unknown) => this.#handleFailure(partition, loop, error));
    this.#owned.set(partition, { loop, ended });
  }

  #endLoop(partition: number, drainMs: number): Promise<void> {
    const running = this.#owned.get(partition);
    if (running === undefined) return Promise.resolve();
    this.#owned.delete(partition);
    this.#ending.add(running);
    running.loop.stop(drainMs);
    return running.ended.finally(() => this.#ending.delete(running));
  }

  /** Ignores fencing in a partition that is no longer owned; when an owned one is fenced, joins the group again. */
  #handleFailure(partition: number, loop: PartitionLoop, error: unknown): void {
    const wasOwned = this.#owned.get(partition)?.loop === loop;
    if (wasOwned) this.#owned.delete(partition);
    if (!(error instanceof PortError && error.code === 'fenced')) return this.#onFatal(error);
    if (!wasOwned || this.#stopping) return;
    this.#logger.warn({ partition, reason: error.message }, 'another owner took over: joining again');
    this.#rejoinSoon(error);
  }

  #rejoinSoon(error: PortError): void {
    if (this.#isRejoinDue) return;
    this.#isRejoinDue = true;
    setTimeout(() => {
      this.#isRejoinDue = false;
      this.#rejoin(error).catch((reason: unknown) => this.#onFatal(reason));
    }, rejoinAfterMs).unref();
  }

  async #rejoin(error: PortError): Promise<void> {
    const membership = await this.#member.membership();
    if (!this.#stopping) await membership?.reportLoss(error);
  }

  #partitionLoop(partition: number): PartitionLoop {
    return new PartitionLoop({
      stage: this.#stage,
      log: this.#log,
      partition,
      tolerate: this.#reporter.tolerate,
      alerts: this.#alerts,
      onHandled: (records, durationMs) => {
        this.#metrics.countHandled(records);
        this.#logHandled(records, partition, durationMs);
      },
      onAppended: (records) => {
        this.#metrics.countAppended(records);
        this.#warnFailures(records);
      },
      onRecovering: (error, waitMs) => {
        this.#metrics.countRecovery();
        const { code, message: reason } = error;
        this.#logger.warn({ partition, code, waitMs, reason }, 'recovering from the last mark');
      },
      onStandstill: ({ message: reason }) => this.#logger.warn({ partition, reason }, 'standing still'),
    });
  }

  /** Logs handled records: those that every partition reads only for the first one, and audit's not at all. */
  #logHandled(records: readonly StoredRecord[], partition: number, durationMs: number): void {
    if (this.name === 'audit') return;
    const debug = this.#logger.isLevelEnabled('debug');
    for (const record of records) {
      const isInfo = controlPlane.has(record.topic) && (partition === 0 || record.partition === partition);
      if (isInfo) this.#logger.info(logFields(record, durationMs), 'handled');
      else if (debug) this.#logger.debug(logFields(record, durationMs), 'handled');
    }
  }

  #warnFailures(records: readonly OutgoingOn[]): void {
    for (const outgoing of records) {
      const notice = noticeOf(outgoing);
      if (notice === undefined) continue;
      const { workspace } = outgoing.record;
      this.#warnings.warn({ workspace, ...notice.details }, notice.message);
    }
  }
}

function logFields(record: StoredRecord<LogRecord>, durationMs: number): object {
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
