// A stage for the loop's own tests: every command leads to one event with a derived id.
import { derivedId } from '../../domain/id.ts';
import type { LogRecord, StoredRecord } from '../../domain/message.ts';
import { positionKey } from '../../log/log.ts';
import type { Outgoing, Position } from '../../log/log.ts';
import { Stage } from './stage.ts';
import type { Output, StageTask, TaskContext } from './stage.ts';

const commands = { topic: 'commands', partition: 0 } as const;

export const command = (id: string): LogRecord => ({
  id,
  type: 'CreateWorkspace',
  version: 1,
  key: id,
  data: { id },
  at: 1,
  workspace: 'o_1',
  correlationId: id,
  causationId: id,
});

export class EchoStage extends Stage {
  readonly name = 'lifecycle';
  /** Ids of the commands whose outputs were reported as committed, repeats included. */
  readonly committed: string[] = [];
  /** Called with each command; what it throws or waits for is the stage's own trouble. */
  onCommand: (id: string) => void | Promise<void> = () => {};
  /** Outputs that come only when the task is drained. */
  holdBack = false;
  /** Called by a task that is stopped, which waits for it. */
  onStop: () => void | Promise<void> = () => {};
  opened = 0;
  stopped = 0;

  async open(context: TaskContext): Promise<StageTask> {
    this.opened++;
    const from = context.mark.positions[positionKey('commands', 0)] ?? 0;
    return new EchoTask(this, context, [{ ...commands, offset: from }]);
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

  constructor(stage: EchoStage, context: TaskContext, start: readonly Position[]) {
    this.#stage = stage;
    this.#context = context;
    this.start = start;
    this.#next = start[0]?.offset ?? 0;
  }

  async handle(records: readonly StoredRecord[], next: number): Promise<void> {
    for (const record of records) {
      await this.#stage.onCommand(record.id);
      const event = { ...record, id: derivedId('rec', record.id, 0), type: 'WorkspaceCreated', causationId: record.id };
      (this.#stage.holdBack ? this.#held : this.#ready).push({ topic: 'workspaces', partition: 0, record: event });
    }
    if (!this.#stage.holdBack) this.#next = next;
    this.#context.ready();
  }

  take(): Output | undefined {
    if (this.#ready.length === 0) return undefined;
    const records = this.#ready;
    this.#ready = [];
    return { records, positions: { [positionKey('commands', 0)]: this.#next } };
  }

  committed(output: Output): void {
    this.#stage.committed.push(...output.records.map(({ record }) => record.causationId));
  }

  async stop(drainMs: number): Promise<void> {
    this.#stage.stopped++;
    await this.#stage.onStop();
    if (drainMs > 0) this.#ready.push(...this.#held);
  }
}
