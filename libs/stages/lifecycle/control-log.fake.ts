// Drives a lifecycle task over a log in memory step by step, with a runtime that answers triggers from a script.
import type { HookEvent, HookKind, Trigger } from '../../domain/source/messages.ts';
import type { Manifest } from '../../domain/component/manifest.ts';
import { partitionOf } from '../../domain/flow.ts';
import type { TopicName } from '../../domain/flow.ts';
import { derivedId } from '../../domain/id.ts';
import type { Json } from '../../domain/json.ts';
import type { LogRecord, StoredRecord } from '../../domain/message.ts';
import { wrapKey } from '../../domain/workspace/keyring.ts';
import { seal } from '../../domain/secrets/seal.ts';
import { MemoryLog } from '../../log/log.fake.ts';
import { positionKey } from '../../log/log.ts';
import type { Outgoing, Positions, Writer } from '../../log/log.ts';
import { CheckedLog } from '../loop/reading/checked-log.ts';
import { handleInOrder } from '../loop/reading/handle-in-order.ts';
import { AlertingReporter } from '../loop/reading/alerting-reporter.ts';
import type { CheckedPageOn } from '../loop/reading/unusable.ts';
import type { StageTask, TaskContext } from '../loop/stage.ts';
import { noAlerts } from '../loop/alerts/alerts.ts';
import { LifecycleStage } from './lifecycle.stage.ts';

export const workspace = 'o_home';
export const masterKey = Buffer.alloc(32, 1);
const dataKey = Buffer.alloc(32, 2);
const randomBytes = (count: number): Buffer => Buffer.alloc(count, 3);

export const wrapped = wrapKey(masterKey, dataKey, Buffer.alloc(12, 4), workspace);
export const sealed = (value: Json) => seal(dataKey, value, Buffer.alloc(12, 5), workspace);

export const manifestOf = (change: Partial<Manifest> = {}): Manifest => ({
  name: 'My Feed',
  version: '0.0.1',
  type: 'source',
  props: [],
  hooks: [],
  methods: [],
  additionalProps: false,
  ...change,
});

/** How the scripted runtime ends each kind of trigger; by default every hook succeeds. */
export interface Script {
  readonly manifest: Manifest;
  readonly failing?: readonly HookKind[];
  /** Hooks that fail in updates only, whose revisions are above 1. */
  readonly failingLater?: readonly HookKind[];
}

export class ControlLog {
  readonly log: MemoryLog;
  readonly skipped: string[] = [];
  readonly paused = new Set<string>();
  /** Called before each append of the task; may kill the task before the append or right after it. */
  onAppend: () => 'go on' | 'kill before' | 'kill after' = () => 'go on';
  appends = 0;
  /** Epoch ms. */
  now = 1_000;
  readonly #script: Script;
  readonly #stage: LifecycleStage;
  readonly #answered = new Set<string>();
  readonly #trouble = new AlertingReporter(noAlerts, { warn: () => {} });
  #runtime: Writer[] = [];
  #writer: Writer | undefined;
  #task: StageTask | undefined;
  #positions: Record<string, number> = {};

  constructor(script: Script = { manifest: manifestOf() }, key = masterKey) {
    this.log = new MemoryLog({ partitions: 2 });
    this.#script = script;
    const ambient = { now: () => this.now, randomBytes };
    this.#stage = new LifecycleStage({ masterKey: key, ambient, onSkipped: ({ type }) => this.skipped.push(type) });
  }

  /** Requests a command; it begins a correlation chain. */
  async send(type: string, data: unknown, id = derivedId('cmd', type, JSON.stringify(data))): Promise<LogRecord> {
    const envelope = { version: 1, key: 'key', at: 0, workspace, correlationId: `req_${id}`, causationId: `req_${id}` };
    const record = { id, type, data, ...envelope };
    await this.log.request({ topic: 'commands', partition: 0, record });
    return record;
  }

  async createWorkspace(): Promise<void> {
    const owner = { name: 'Home', userId: 'u_1', username: 'ada', email: 'ada@example.com' };
    await this.send('CreateWorkspace', { ...owner, apiKeyHash: 'h1', dataKey: wrapped });
  }

  deploy(sourceId: string, props: Json = {}): Promise<LogRecord> {
    const base = { sourceId, userId: 'u_1', code: 'x', name: null, endpointKey: 'e', fingerprint: null };
    return this.send('DeploySource', { ...base, configuredProps: sealed(props) });
  }

  /** Appends hook outcomes as runtime does. */
  async outcome(...events: readonly HookEvent[]): Promise<void> {
    if (this.#runtime.length === 0) this.#runtime = await Promise.all([0, 1].map((p) => this.log.own('runtime', p)));
    for (const record of events) {
      const partition = partitionOf(record.data.sourceId, this.log.partitions);
      await this.#runtime[partition]?.append([{ topic: 'hooks', partition, record }], {});
    }
  }

  /** Lets the task read everything, one record a page, while the runtime answers, until nothing is left to do. */
  async settle(): Promise<void> {
    for (;;) {
      const moved = (await this.#feedAndFlush()) || (await this.#answer());
      if (!moved) return;
    }
  }

  /** Hands the task a page of each input, without taking its outputs. */
  async feed(recordsMax = 1): Promise<boolean> {
    const task = await this.#openTask();
    let fed = false;
    for (const { topic, partition } of task.start) {
      const from = this.#positions[positionKey(topic, partition)] ?? 0;
      const page = await this.#checkedLog.read(topic, partition, from, { recordsMax, bytesMax: 1e9 });
      if (page.records.length + page.malformed.length === 0) continue;
      await handleInOrder(page as CheckedPageOn, task);
      this.#positions[positionKey(topic, partition)] = page.next;
      fed = true;
    }
    return fed;
  }

  /** Appends all that the task has ready; false when it was killed on the way. */
  async flush(bytesMax = 1e6): Promise<boolean> {
    const task = await this.#openTask();
    for (let output = task.takeOutput(bytesMax); output !== undefined; output = task.takeOutput(bytesMax)) {
      const fate = this.onAppend();
      if (fate !== 'kill before') task.onCommitted(output, await this.#append(output.records, output.positions));
      if (fate !== 'go on') return this.kill();
    }
    return true;
  }

  /** Drops the task with all that it has not appended. */
  kill(): false {
    this.#task = undefined;
    return false;
  }

  async open(): Promise<StageTask> {
    this.#writer = await this.log.own('lifecycle', 0);
    this.#positions = { ...this.#writer.mark.positions };
    return (this.#task = await this.#stage.open(this.#context(this.#writer)));
  }

  types(topic: TopicName): string[] {
    return this.log.records(topic).map(({ type }) => type);
  }

  /** The data of the newest record of a type, and of a key when one is given; throws when there is none. */
  newest(topic: TopicName, type: string, key?: string): unknown {
    const record = this.log.records(topic).findLast((one) => one.type === type && one.key === (key ?? one.key));
    if (record === undefined) throw new Error(`there is no ${type} on ${topic}`);
    return record.data;
  }

  async #openTask(): Promise<StageTask> {
    return this.#task ?? (await this.open());
  }

  get #checkedLog(): CheckedLog {
    const malformed = ({ record }: { readonly record: { readonly type?: unknown } }): number =>
      this.skipped.push(String(record.type));
    return new CheckedLog(this.log, { reportMalformed: malformed, reportNewer: () => {} });
  }

  async #feedAndFlush(): Promise<boolean> {
    const fed = await this.feed();
    return !(await this.flush()) || fed;
  }

  async #append(records: readonly Outgoing[], positions: Positions): Promise<readonly number[]> {
    this.appends++;
    return (await this.#writer?.append(records, { ...this.#writer.mark.positions, ...positions })) ?? [];
  }

  async #answer(): Promise<boolean> {
    const triggers = this.log.records('triggers') as (StoredRecord & Trigger)[];
    const unanswered = triggers.filter(({ id, type }) => type === 'TriggerRequested' && !this.#answered.has(id));
    for (const trigger of unanswered) {
      this.#answered.add(trigger.id);
      await this.outcome(this.#outcomeOf(trigger));
    }
    return unanswered.length > 0;
  }

  #outcomeOf(trigger: Trigger): HookEvent {
    const { sourceId, revision } = trigger.data;
    const kind = trigger.data.kind as HookKind;
    const { manifest, failing: always = [], failingLater = [] } = this.#script;
    const failing = revision > 1 ? [...always, ...failingLater] : always;
    const console = [{ level: 'log', text: kind, at: 0 } as const];
    const { correlationId, id: causationId } = trigger;
    const envelope = { version: 1, key: sourceId, at: 0, workspace: trigger.workspace, correlationId, causationId };
    const id = derivedId('rec', trigger.id, 0);
    if (failing.includes(kind)) {
      const error = { name: 'Error', message: 'no' };
      return { ...envelope, id, type: 'HookFailed', data: { sourceId, revision, kind, error, console } };
    }
    if (kind !== 'describe') {
      return { ...envelope, id, type: 'HookSucceeded', data: { sourceId, revision, kind, console } };
    }
    return { ...envelope, id, type: 'SourceDescribed', data: { sourceId, revision, manifest, console } };
  }

  #context(writer: Writer): TaskContext {
    return {
      log: this.#checkedLog,
      tolerate: this.#trouble.tolerate,
      alerts: noAlerts,
      partition: 0,
      mark: writer.mark,
      encodeAhead: (records) => writer.encodeAhead(records),
      ready: () => {},
      pause: (topic, partition) => this.paused.add(positionKey(topic, partition)),
      resume: (topic, partition) => this.paused.delete(positionKey(topic, partition)),
      fail: (error) => {
        throw error;
      },
    };
  }
}
