// Runs audit on a log in memory, one turn at a time, with clocks that the test sets.
import type { CheckpointSigned, TreeEvent } from '../../domain/audit/messages.ts';
import { flow, isOwning, topics } from '../../domain/flow.ts';
import type { RequestTopic, SignedTopic } from '../../domain/flow.ts';
import type { LogRecord, StoredRecord } from '../../domain/message.ts';
import type { OutgoingOn, Position, Positions, Writer } from '../../log/log.ts';
import { MemoryLog } from '../../log/log.fake.ts';
import { type Checkpoint, isSigned, publicKeyOf } from '../../verifier/checkpoint.ts';
import { CheckedLog } from '../loop/reading/checked-log.ts';
import { handleInOrder } from '../loop/reading/handle-in-order.ts';
import { AlertingReporter } from '../loop/reading/alerting-reporter.ts';
import type { CheckedPageOn } from '../loop/reading/unusable.ts';
import { noAlerts } from '../loop/alerts/alerts.ts';
import type { StageTask } from '../loop/stage.ts';
import { AuditStage } from './audit.stage.ts';

const startTime = Date.parse('2026-06-01T12:00:00Z');
export const auditMasterKey = Buffer.alloc(32, 1);
const bounds = { recordsMax: 512, bytesMax: 1024 * 1024 };

export interface Signed extends Checkpoint {
  readonly data: CheckpointSigned;
}

export class AuditWorld {
  readonly log = new MemoryLog({ partitions: 2, compactsAtOnce: true });
  readonly #trouble = new AlertingReporter(noAlerts, { warn: () => {} });
  readonly #checked = new CheckedLog(this.log, this.#trouble);
  /** Code, subject and message of each raised alert. */
  readonly alerts: (readonly [string, string, string])[] = [];
  #now = startTime;
  #elapsedMs = 0;
  #randomCalls = 0;
  #recordCount = 0;
  #positions: Positions = {};
  #next: Position[] = [];
  #task: StageTask | undefined;
  #writer: Writer | undefined;
  #appendsLeft = Infinity;
  masterKey = auditMasterKey;

  static async start(): Promise<AuditWorld> {
    const world = new AuditWorld();
    await world.open();
    return world;
  }

  get now(): number {
    return this.#now;
  }

  get task(): StageTask {
    if (this.#task === undefined) throw new Error('it was not opened');
    return this.#task;
  }

  /** Loses all output after `count` appends, as in a crash. */
  stopAfterAppends(count: number): void {
    this.#appendsLeft = count;
  }

  /** Opens the task of a new owner, whatever happened to the last one. */
  async open(): Promise<void> {
    this.#appendsLeft = Infinity;
    const randomBytes = (count: number): Buffer => Buffer.alloc(count, ++this.#randomCalls);
    const ambient = { now: () => this.#now, randomBytes };
    const stage = new AuditStage({ masterKey: this.masterKey, ambient, elapsedMs: () => this.#elapsedMs });
    const writer = await this.log.own('audit', 0);
    this.#positions = writer.mark.positions;
    const task = await stage.open({
      log: this.#checked,
      partition: 0,
      mark: writer.mark,
      encodeAhead: (records) => writer.encodeAhead(records),
      tolerate: this.#trouble.tolerate,
      alerts: { ...noAlerts, raise: (code, subject, message) => this.alerts.push([code, subject, message]) },
      ready: () => {},
      pause: () => {},
      resume: () => {},
      fail: (error) => {
        throw error;
      },
    });
    this.#writer = writer;
    this.#task = task;
    this.#next = [...task.start];
  }

  /** Advances the clocks by `passMs`, then reads everything and appends the results. */
  async turn(passMs: number): Promise<void> {
    this.#now += passMs;
    this.#elapsedMs += passMs;
    for (const [i, position] of this.#next.entries()) await this.#read(i, position);
    await this.take();
  }

  async take(): Promise<void> {
    const { task } = this;
    for (let output = task.takeOutput(1_000_000); output !== undefined; output = task.takeOutput(1_000_000)) {
      if (this.#appendsLeft-- <= 0) break;
      this.#positions = { ...this.#positions, ...output.positions };
      await this.#writer?.append(output.records, this.#positions);
    }
  }

  async write(
    topic: SignedTopic | 'retention' | 'subscriptions',
    change: Partial<LogRecord> = {},
    partition = 0,
  ): Promise<void> {
    const id = `rec_${this.#recordCount++}`;
    const record: LogRecord = {
      id,
      type: 'Unknown',
      version: 1,
      key: 'dc_1',
      data: { at: this.#recordCount },
      at: this.#now,
      workspace: 'o_1',
      correlationId: id,
      causationId: id,
      ...change,
    };
    await this.append(topic, [record], partition);
  }

  async append(
    topic: SignedTopic | 'retention' | 'subscriptions',
    records: readonly LogRecord[],
    partition = 0,
  ): Promise<void> {
    const { writer } = topics[topic];
    if (writer === 'many') {
      for (const record of records)
        await this.log.request({ topic, partition, record } as unknown as OutgoingOn<RequestTopic>);
      return;
    }
    if (!isOwning(writer)) throw new Error(`${writer} owns nothing`);
    const owner = await this.log.own(writer, flow[writer].owns === 'one' ? 0 : partition);
    await owner.append(
      records.map((record) => ({ topic, partition, record })),
      owner.mark.positions,
    );
  }

  records(topic: SignedTopic, partition = 0): readonly StoredRecord[] {
    return this.log.records(topic).filter((record) => record.partition === partition);
  }

  checkpoints(topic?: SignedTopic, partition = 0): readonly Signed[] {
    return this.log
      .records('checkpoints')
      .map(({ data }) => data as CheckpointSigned)
      .map((data) => ({ ...(JSON.parse(data.line) as Checkpoint), data }))
      .filter((one) => topic === undefined || (one.topic === topic && one.partition === partition));
  }

  keys(): readonly Extract<TreeEvent, { type: 'AuditKeyMade' }>['data'][] {
    const made = this.log.records('trees').filter(({ type }) => type === 'AuditKeyMade');
    return made.map(({ data }) => data as Extract<TreeEvent, { type: 'AuditKeyMade' }>['data']);
  }

  /** Whether every signature was made by the key that it names. */
  areSigned(): boolean {
    const keys = new Map(this.keys().map(({ keyId, publicKey }) => [keyId, publicKeyOf(publicKey)]));
    return this.checkpoints().every(({ data: { line, signatures } }) =>
      signatures.every(({ keyId, signature }) => {
        const key = keys.get(keyId);
        return key !== undefined && isSigned(line, signature, key);
      }),
    );
  }

  position(key: string): number | undefined {
    return this.#positions[key];
  }

  async #read(i: number, { topic, partition, offset }: Position): Promise<void> {
    for (let next = offset; ;) {
      const page = (await this.#checked.read(topic, partition, next, bounds)) as CheckedPageOn;
      if (page.next === next) return;
      next = page.next;
      this.#next[i] = { topic, partition, offset: next };
      if (page.malformed.length > 0) await handleInOrder(page, this.task);
      else await this.task.handle(page.records, page.next);
    }
  }
}
