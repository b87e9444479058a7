// Runs one life of the runtime stage on a log, which a spec can end between any two steps, as kill -9 would.
import { FakePackages } from '../../../packages/packages.fake.ts';
import type { FakeSandbox } from '../../../sandbox/sandbox.fake.ts';
import { FakeSandbox as Sandboxes } from '../../../sandbox/sandbox.fake.ts';
import { CheckedLog } from '../../loop/reading/checked-log.ts';
import type { CheckedTail } from '../../loop/reading/checked-tail.ts';
import { handleInOrder } from '../../loop/reading/handle-in-order.ts';
import { AlertingReporter } from '../../loop/reading/alerting-reporter.ts';
import { noAlerts } from '../../loop/alerts/alerts.ts';
import type { Output, StageTask, TaskContext } from '../../loop/stage.ts';
import type { Writer } from '../../../log/index.ts';
import type { RuntimeLimits } from '../runtime-limits.ts';
import { RuntimeStage } from '../runtime.stage.ts';
import { masterKey } from './world.fake.ts';
import type { World } from './world.fake.ts';

/**
 * Points of a kill: a run has `ended` and none of its output was taken; an output was `taken` and not appended; it was
 * `appended` and the stage does not know yet.
 */
export type Step = 'ended' | 'taken' | 'appended';

export interface LifeOptions {
  readonly killAt?: (step: Step, count: number) => boolean;
  readonly limits?: Partial<RuntimeLimits>;
  readonly appendBytes?: number;
  readonly sandbox?: FakeSandbox;
  readonly packages?: FakePackages;
  /** Appends wait for this promise. */
  readonly disk?: Promise<void>;
}

export class Life {
  readonly #world: World;
  readonly #options: LifeOptions;
  readonly #counts: Record<Step, number> = { ended: 0, taken: 0, appended: 0 };
  readonly paused: string[] = [];
  readonly outputs: Output[] = [];
  killed = false;
  failure: Error | undefined;
  task: StageTask | undefined;
  #writer: Writer | undefined;
  readonly alerts: string[] = [];
  readonly #trouble = new AlertingReporter(
    { ...noAlerts, raise: (code, subject) => this.alerts.push(`${code} ${subject}`) },
    { warn: () => {} },
  );
  readonly #log: CheckedLog;
  #tail: CheckedTail | undefined;
  #pumping: Promise<void> | undefined;
  #hasMore = false;
  #reading = true;

  constructor(world: World, options: LifeOptions = {}) {
    this.#world = world;
    this.#options = options;
    this.#log = new CheckedLog(world.log, this.#trouble);
  }

  static async begin(world: World, options?: LifeOptions): Promise<Life> {
    const life = new Life(world, options);
    await life.open();
    return life;
  }

  kill(): void {
    this.killed = true;
    this.#closeTail();
  }

  /** Stops the stage, waits for active runs and appends their output. */
  async stop(drainMs: number): Promise<void> {
    this.#closeTail();
    await this.task?.stop(drainMs);
    await this.#pumping;
    await this.#pump();
    this.kill();
  }

  #fail(error: Error): void {
    this.failure ??= error;
    this.kill();
  }

  #closeTail(): void {
    this.#reading = false;
    void this.#tail?.close();
  }

  async open(): Promise<void> {
    const { ambient, components } = this.#world;
    const log = this.#log;
    await this.#world.fold();
    const sandbox = this.#options.sandbox ?? new Sandboxes(components, ambient.now);
    const limits = this.#options.limits ?? {};
    const stage = new RuntimeStage({
      sandbox,
      packages: this.#options.packages ?? new FakePackages(),
      masterKey,
      ambient,
      endpointUrl: (key) => `http://test/e/${key}`,
      limits,
    });
    this.#writer = await log.own('runtime', 0);
    this.task = await stage.open(this.#context(this.#writer));
    this.#tail = log.tail(this.task.start, { recordsMax: 100, bytesMax: 1_000_000 });
    void this.#read(this.task, this.#tail);
  }

  #context(writer: Writer): TaskContext {
    return {
      log: this.#log,
      tolerate: this.#trouble.tolerate,
      alerts: { ...noAlerts, raise: (code, subject) => this.alerts.push(`${code} ${subject}`) },
      partition: 0,
      mark: writer.mark,
      encodeAhead: (records) => writer.encodeAhead(records),
      ready: () => {
        if (this.#continuesAfter('ended')) this.#schedule();
      },
      pause: (topic, partition) => {
        this.paused.push(`pause ${topic}`);
        this.#tail?.pause(topic, partition);
      },
      resume: (topic, partition) => {
        this.paused.push(`resume ${topic}`);
        this.#tail?.resume(topic, partition);
      },
      fail: (error) => this.#fail(error),
    };
  }

  async #read(task: StageTask, tail: CheckedTail): Promise<void> {
    while (this.#reading) {
      for (const page of await tail.next(50)) {
        if (this.#reading) await handleInOrder(page, task);
      }
    }
  }

  #schedule(): void {
    this.#hasMore = true;
    this.#pumping ??= this.#pumpAll()
      .catch((error: Error) => this.#fail(error))
      .finally(() => {
        this.#pumping = undefined;
        if (this.#hasMore) this.#schedule();
      });
  }

  async #pumpAll(): Promise<void> {
    while (this.#hasMore) {
      this.#hasMore = false;
      await new Promise(setImmediate);
      await this.#pump();
    }
  }

  async #pump(): Promise<void> {
    for (;;) {
      if (this.killed) return;
      const output = this.task?.takeOutput(this.#options.appendBytes ?? 8_000_000);
      if (output === undefined || !this.#continuesAfter('taken')) return;
      const positions = { ...this.#writer?.mark.positions, ...output.positions };
      await this.#options.disk;
      const offsets = await this.#writer?.append(output.records, positions);
      this.outputs.push(output);
      if (!this.#continuesAfter('appended')) return;
      this.task?.onCommitted(output, offsets ?? []);
    }
  }

  /** Whether the life continues after this step. */
  #continuesAfter(step: Step): boolean {
    if (this.killed) return false;
    if (this.#options.killAt?.(step, ++this.#counts[step]) !== true) return true;
    this.kill();
    return false;
  }
}

/** Waits for a condition, checked after every turn of the event loop. */
export async function until(condition: () => boolean, what = 'the condition'): Promise<void> {
  const deadline = performance.now() + 15_000;
  while (!condition()) {
    if (performance.now() > deadline) throw new Error(`Waited 15 s in vain for ${what}`);
    await new Promise(setImmediate);
  }
}
