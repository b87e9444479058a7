// Runs a scheduler one turn at a time over a log in memory with one partition; the test sets the clocks.
import type { RunEvent } from '../../domain/channel/messages.ts';
import type { Trigger } from '../../domain/source/messages.ts';
import type { SourceDefinition } from '../../domain/source/definition/messages.ts';
import type { LogRecord, StoredRecord } from '../../domain/message.ts';
import type { ScheduleEvent, TimerSchedule } from '../../domain/timer/messages.ts';
import { MemoryLog } from '../../log/log.fake.ts';
import { positionKey } from '../../log/log.ts';
import type { Position, Positions, Writer } from '../../log/log.ts';
import { CheckedLog } from '../loop/reading/checked-log.ts';
import { handleInOrder } from '../loop/reading/handle-in-order.ts';
import { AlertingReporter } from '../loop/reading/alerting-reporter.ts';
import type { CheckedPageOn } from '../loop/reading/unusable.ts';
import type { StageTask } from '../loop/stage.ts';
import { noAlerts } from '../loop/alerts/alerts.ts';
import { SchedulerStage } from './scheduler.stage.ts';

const began = Date.parse('2026-06-01T12:00:00Z');
const bounds = { recordsMax: 1_000, bytesMax: 1024 * 1024 };

export class SchedulerWorld {
  readonly log = new MemoryLog({ partitions: 1 });
  readonly began = began;
  readonly beganSeconds = began / 1_000;
  /** Topics that the task has paused. `turn` reads them nevertheless. */
  readonly paused = new Set<string>();
  readonly #trouble = new AlertingReporter(noAlerts, { warn: () => {} });
  readonly #checked = new CheckedLog(this.log, this.#trouble);
  #now = began;
  #elapsedMs = 0;
  #recordCount = 0;
  #appendsLeft = Infinity;
  #positions: Positions = {};
  #next = new Map<string, Position>();
  #task: StageTask | undefined;
  #writer: Writer | undefined;

  static async start(): Promise<SchedulerWorld> {
    const world = new SchedulerWorld();
    await world.#write('sources', { type: 'DefinitionsFolded', key: 'folded', data: { format: 1 } });
    await world.open();
    return world;
  }

  get task(): StageTask {
    if (this.#task === undefined) throw new Error('it was not opened');
    return this.#task;
  }

  get writer(): Writer {
    if (this.#writer === undefined) throw new Error('it was not opened');
    return this.#writer;
  }

  /** Output after `count` appends is lost, as in a crash. */
  stopAfterAppends(count: number): void {
    this.#appendsLeft = count;
  }

  /** Opens the task of a new owner, whatever happened to the last one. */
  async open(): Promise<void> {
    this.#appendsLeft = Infinity;
    const ambient = { now: () => this.#now, randomBytes: () => Buffer.alloc(12) };
    const stage = new SchedulerStage({ ambient, elapsedMs: () => this.#elapsedMs });
    const writer = await this.log.own('scheduler', 0);
    this.#positions = writer.mark.positions;
    const task = await stage.open({
      log: this.#checked,
      partition: 0,
      mark: writer.mark,
      encodeAhead: (records) => writer.encodeAhead(records),
      tolerate: this.#trouble.tolerate,
      alerts: noAlerts,
      ready: () => {},
      pause: (topic) => this.paused.add(topic),
      resume: (topic) => this.paused.delete(topic),
      fail: (error) => {
        throw error;
      },
    });
    this.#writer = writer;
    this.#task = task;
    this.#next = new Map(task.start.map((position) => [position.topic, position]));
  }

  /** Lets time pass, then reads everything and appends the results. */
  async turn(passMs: number): Promise<void> {
    this.advanceClocks(passMs);
    const { task, writer } = this;
    for (const position of this.#next.values()) {
      const { topic, partition, offset } = position;
      const page = (await this.#checked.read(topic, partition, offset, bounds)) as CheckedPageOn;
      if (page.next === position.offset) continue;
      this.#next.set(position.topic, { ...position, offset: page.next });
      if (page.malformed.length > 0) await handleInOrder(page, task);
      else await task.handle(page.records, page.next);
    }
    for (let output = task.takeOutput(1_000_000); output !== undefined; output = task.takeOutput(1_000_000)) {
      if (this.#appendsLeft-- <= 0) break;
      this.#positions = { ...this.#positions, ...output.positions };
      await writer.append(output.records, this.#positions);
    }
  }

  advanceClocks(ms: number): void {
    this.#now += ms;
    this.#elapsedMs += ms;
  }

  /** The wall clock jumps without any time passing. */
  setClock(byMs: number): void {
    this.#now += byMs;
  }

  define(
    sourceId: string,
    timer: TimerSchedule | null,
    changes: Partial<SourceDefinition['data']> = {},
  ): Promise<void> {
    const data: SourceDefinition['data'] = {
      sourceId,
      status: 'deployed',
      revision: 1,
      createdAt: began,
      madeBy: null,
      endpointKey: 'e',
      requestedName: null,
      configuredProps: null,
      nameSlug: 'n',
      hooks: [],
      ended: [],
      console: [],
      http: null,
      timer,
      codeFrom: 0,
      configuredFrom: 0,
      ...changes,
    };
    return this.#write('sources', { type: 'SourceDefined', key: sourceId, data });
  }

  undefine(sourceId: string): Promise<void> {
    return this.#write('sources', { type: 'SourceDefined', key: sourceId, data: undefined });
  }

  endRun(runId = 'run_none', sourceId = 'dc_1'): Promise<void> {
    const data: RunEvent['data'] = {
      runId,
      sourceId,
      kind: 'timer',
      outcome: 'succeeded',
      startedAt: this.#now,
      durationMs: 1,
      console: [],
      emitted: [],
      deduped: 0,
    };
    return this.#write('runs', { type: 'RunFinished', key: sourceId, data });
  }

  endUnreadableRun(sourceId: string): Promise<void> {
    return this.#write('runs', { type: 'RunFinished', key: sourceId, data: { nothing: 'of use' } });
  }

  triggers(): readonly StoredRecord<Trigger>[] {
    return this.log.records('triggers') as unknown as StoredRecord<Trigger>[];
  }

  schedules(): readonly StoredRecord<ScheduleEvent>[] {
    return this.log.records('schedules') as unknown as StoredRecord<ScheduleEvent>[];
  }

  /** The ids of the sources that have a schedule. */
  scheduledSources(): readonly string[] {
    const newest = new Map(this.schedules().map(({ key, data }) => [key, data as unknown]));
    return [...newest].filter(([, data]) => data !== undefined && data !== null).map(([key]) => key);
  }

  markOf(topic: 'runs'): number | undefined {
    return this.#positions[positionKey(topic, 0)];
  }

  async #write(topic: 'sources' | 'runs', record: Pick<LogRecord, 'type' | 'key' | 'data'>): Promise<void> {
    const writer = await this.log.own(topic === 'sources' ? 'lifecycle' : 'runtime', 0);
    const id = `rec_${this.#recordCount++}`;
    const envelope = { id, version: 1, at: this.#now, workspace: 'o_1', correlationId: id, causationId: id };
    await writer.append([{ topic, partition: 0, record: { ...envelope, ...record } }], writer.mark.positions);
  }
}
