// A stage for the loop's own tests: every request leads to one event with a derived id.
import { derivedId } from '../../domain/id.ts';
import type { LogRecord, StoredRecord } from '../../domain/message.ts';
import { positionKey } from '../../log/log.ts';
import type { Outgoing, OutgoingOn, Position } from '../../log/log.ts';
import type { MalformedRecord } from './reading/unusable.ts';
import { Stage } from './stage.ts';
import type { Output, StageTask, TaskContext } from './stage.ts';

/** What the stage reads and writes under each name that it can have. */
const topicsByStage = {
  lifecycle: { reads: 'commands', writes: 'workspaces' },
  runtime: { reads: 'triggers', writes: 'runs' },
} as const;
type EchoName = keyof typeof topicsByStage;

export const command = (id: string, name = id): LogRecord => ({
  id,
  type: 'CreateWorkspace',
  version: 1,
  key: id,
  data: { name, userId: 'u_1', username: 'u', email: 'e', apiKeyHash: 'h', dataKey: { keyId: 'k', wrapped: 'w' } },
  at: 1,
  workspace: 'o_1',
  correlationId: id,
  causationId: id,
});

export const trigger = (id: string): LogRecord => ({
  ...command(id),
  type: 'TriggerRequested',
  data: { sourceId: id, kind: 'manual', revision: 1 },
});

export class EchoStage extends Stage {
  readonly name: EchoName;
  override readonly readPauseMs: number;
  /** Number of pages handled, whatever they held. */
  pageCount = 0;
  /** Ids of the commands whose outputs were reported as committed, repeats included. */
  readonly committedIds: string[] = [];
  /** Called with each command: it can throw or wait, as a stage's own work can. */
  onCommand: (id: string) => void | Promise<void> = () => {};
  /** Whether outputs are returned only when the task is drained. */
  holdBack = false;
  /** Called when a task is stopped; the task waits for it. */
  onStop: () => void | Promise<void> = () => {};
  openCount = 0;
  /** Called before a task opens: it can throw. */
  onOpen: () => void = () => {};
  /** Number of malformed records. */
  malformedCount = 0;
  stopCount = 0;

  constructor(name: EchoName = 'lifecycle', readPauseMs = 0) {
    super();
    this.name = name;
    this.readPauseMs = readPauseMs;
  }

  async open(context: TaskContext): Promise<StageTask> {
    this.openCount++;
    this.onOpen();
    const { partition, mark } = context;
    const topic = topicsByStage[this.name].reads;
    const offset = mark.positions[positionKey(topic, partition)] ?? 0;
    return new EchoTask(this, context, { topic, partition, offset });
  }

  async close(): Promise<void> {}
}

class EchoTask implements StageTask {
  readonly start: readonly Position[];
  readonly #stage: EchoStage;
  readonly #context: TaskContext;
  #ready: Outgoing[] = [];
  #held: Outgoing[] = [];
  #next: number;
  #handledTo: number;

  constructor(stage: EchoStage, context: TaskContext, start: Position) {
    this.#stage = stage;
    this.#context = context;
    this.start = [start];
    this.#next = start.offset;
    this.#handledTo = start.offset;
  }

  async handle(records: readonly StoredRecord[], next: number): Promise<void> {
    this.#stage.pageCount++;
    for (const record of records) {
      await this.#stage.onCommand(record.id);
      const event = { ...record, id: derivedId('rec', record.id, 0), type: 'WorkspaceCreated', causationId: record.id };
      const { writes: topic } = topicsByStage[this.#stage.name];
      const { partition } = this.#context;
      (this.#stage.holdBack ? this.#held : this.#ready).push({ topic, partition, record: event });
    }
    this.#handledTo = next;
    if (!this.#stage.holdBack) this.#next = next;
    this.#context.ready();
  }

  skipMalformed(_malformed: MalformedRecord, next: number): void {
    this.#next = next;
    this.#handledTo = next;
    this.#stage.malformedCount++;
  }

  takeOutput(): Output | undefined {
    if (this.#ready.length === 0) return undefined;
    const records = this.#ready;
    this.#ready = [];
    const { reads } = topicsByStage[this.#stage.name];
    // These are not messages of the topic, but the loop does not check outputs.
    return {
      records: records as readonly OutgoingOn[],
      positions: { [positionKey(reads, this.#context.partition)]: this.#next },
    };
  }

  onCommitted(output: Output): void {
    this.#stage.committedIds.push(...output.records.map(({ record }) => record.causationId));
  }

  async stop(drainMs: number): Promise<void> {
    this.#stage.stopCount++;
    await this.#stage.onStop();
    if (drainMs === 0) return;
    this.#ready.push(...this.#held);
    this.#next = this.#handledTo;
  }
}
