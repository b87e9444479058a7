// One partition's sources: triggers come in, run in their lanes, and come out as what one append holds.
import type { Trigger } from '../../domain/component/messages.ts';
import type { StoredRecord } from '../../domain/message.ts';
import { positionKey } from '../../log/index.ts';
import type { Position } from '../../log/index.ts';
import type { MalformedRecord } from '../loop/reading/unusable.ts';
import { isTombstone } from '../loop/restoring/definitions.ts';
import type { Output, StageTask, TaskContext } from '../loop/stage.ts';
import type { Finished } from './finished.ts';
import { Backlog } from './lanes/backlog.ts';
import { Dispatcher } from './lanes/dispatcher.ts';
import type { Manner, SharedPlaces } from './lanes/dispatcher-options.ts';
import { Fifo } from './lanes/fifo.ts';
import { readBack } from './lanes/read-back.ts';
import { Fullness } from './lanes/fullness.ts';
import { queued } from './lanes/queued-trigger.ts';
import type { QueuedTrigger } from './lanes/queued-trigger.ts';
import { refusedTrigger } from './lanes/refused-trigger.ts';
import type { RuntimeLimits } from './limits.ts';
import type { RuntimeOptions } from './options.ts';
import { OutputBatch } from './output-batch.ts';
import { Runner } from './runner.ts';
import type { ComponentCache } from './components/cache.ts';
import { Components } from './components/components.ts';
import { planOf } from './components/plan.ts';
import type { Plan } from './components/plan.ts';
import { learnKey } from './source/restore.ts';
import type { Restored } from './source/restore.ts';
import { Settling } from './components/settling.ts';

/** Definitions are small; a page is taken in within one turn. */
const definitionsPage = { recordsMax: 1_000, bytesMax: 1024 * 1024 };

export interface RuntimeTaskOptions extends RuntimeOptions {
  readonly context: TaskContext;
  readonly restored: Restored;
  readonly places: SharedPlaces;
  readonly componentCache: ComponentCache;
  readonly limits: RuntimeLimits;
}

export class RuntimeTask implements StageTask {
  readonly start: readonly Position[];
  readonly #options: RuntimeTaskOptions;
  readonly #backlog: Backlog;
  readonly #dispatcher: Dispatcher;
  readonly #fullness: Fullness;
  readonly #runner: Runner;
  readonly #components: Components;
  readonly #settling: Settling;
  readonly #finished = new Fifo<Finished>();
  readonly #taken = new Map<Output, OutputBatch>();
  /** Sources that the sandbox may have an instance of. */
  readonly #loaded = new Set<string>();
  /** Where the inputs without triggers have come to. */
  readonly #read: Record<string, number> = {};
  #unsavedBytes = 0;

  constructor(options: RuntimeTaskOptions) {
    const { context, restored, limits } = options;
    const { log, partition } = context;
    this.#options = options;
    this.start = restored.start;
    for (const { topic, offset } of restored.start) if (topic !== 'triggers') this.#moved(topic, offset);
    const triggers = restored.start.find(({ topic }) => topic === 'triggers');
    this.#backlog = new Backlog(triggers?.offset ?? 0, limits, {
      pause: () => context.pause('triggers', partition),
      resume: () => context.resume('triggers', partition),
    });
    this.#fullness = new Fullness(log, limits);
    this.#components = new Components(log, partition, options.componentCache);
    this.#settling = new Settling({
      readTo: () => this.#backlog.readTo,
      readOn: () => this.#readDefinitions(),
      settled: () => this.#dispatcher.wake(),
      fail: (error) => context.fail(error),
    });
    this.#runner = new Runner({
      ...options,
      log,
      partition,
      vault: restored.vault,
      components: this.#components,
      plan: (trigger) => this.#plan(trigger),
      db: (trigger) => this.#db(trigger),
      dbCloses: ({ sourceId, workspace }) => restored.states.of({ key: sourceId, workspace }).db.closed,
      alerts: context.alerts,
    });
    this.#dispatcher = new Dispatcher({
      places: options.places,
      window: { count: limits.windowMax, bytes: limits.windowBytesMax },
      revisionOf: (trigger) => this.#revisionOf(trigger),
      runnable: (trigger) => this.#isRunnable(trigger),
      mayStart: (expectedBytes) => this.#unsavedBytes + expectedBytes < limits.unsavedBytesMax,
      repeatDelayMs: ({ losses }) => repeatDelayMs(losses, limits),
      execute: (trigger, manner) => this.#execute(trigger, manner),
      finished: (trigger, finished) => this.#ended(trigger, finished),
      mayKeep: (keptOfLane) => this.#backlog.mayKeep(keptOfLane),
      kept: (trigger) => this.#backlog.keep(trigger),
      readBack: (offsets) => readBack(log, partition, offsets),
      fail: (error) => context.fail(error),
    });
  }

  handle(records: readonly StoredRecord[], next: number): void {
    const { context } = this.#options;
    const [first] = records;
    if (first === undefined) return;
    if (first.topic === 'triggers') {
      this.#backlog.readUpTo(next);
      for (const record of records)
        context.tolerate(record, () => this.#queue(queued(record as StoredRecord<Trigger>)));
      return;
    }
    if (first.topic === 'sources') this.#takeDefinitions(records, next);
    else this.#takeKeys(records, next);
    this.#dispatcher.wake();
  }

  /** A trigger ends as a refused run, in its turn among the others of its source. */
  pass(malformed: MalformedRecord, next: number): void {
    const { topic, record } = malformed;
    if (topic === 'sources') this.#options.restored.definitions.spoil(record.key);
    if (topic !== 'triggers') {
      this.#moved(topic, next);
      return;
    }
    this.#backlog.readUpTo(next);
    const refused = refusedTrigger(malformed);
    if (refused !== undefined) this.#queue(refused);
  }

  take(bytesMax: number): Output | undefined {
    if (this.#finished.length === 0) return undefined;
    const { context, restored, ambient } = this.#options;
    const batch = new OutputBatch(context.partition, ambient.now(), bytesMax);
    for (let first = this.#finished.peek(); first !== undefined; first = this.#finished.peek()) {
      const state = restored.states.of(first.trigger);
      if (!batch.fits(first, state)) break;
      batch.add(first, state);
      this.#backlog.done(first.queued);
      this.#finished.shift();
    }
    const mark = this.#backlog.mark();
    const output = { records: batch.records(mark), positions: this.#positions(mark) };
    this.#taken.set(output, batch);
    return output;
  }

  committed(output: Output): void {
    const batch = this.#taken.get(output);
    if (batch === undefined) return;
    this.#taken.delete(output);
    this.#unsavedBytes -= batch.finishedBytes;
    for (const { gateway, reply } of batch.replies) this.#options.context.log.reply(gateway, reply);
    this.#dispatcher.wakeStarved();
  }

  async stop(drainMs: number): Promise<void> {
    this.#dispatcher.stop();
    this.#settling.stop();
    this.#fullness.stop();
    if (drainMs > 0) await within(drainMs, this.#dispatcher.idle());
    this.#runner.end();
    await Promise.all([...this.#loaded].map((sourceId) => this.#options.sandbox.unload(sourceId)));
  }

  #queue(trigger: QueuedTrigger): void {
    const { sourceId, workspace, lane, offset } = trigger;
    if (offset < this.#options.restored.states.of({ key: sourceId, workspace }).finishedBelow[lane]) return;
    this.#backlog.add(trigger);
    this.#dispatcher.add(trigger);
    this.#noteLength(trigger);
  }

  /** They may have been read on to already. */
  #takeDefinitions(records: readonly StoredRecord[], next: number): void {
    const { context, restored } = this.#options;
    const from = this.#read['sources'] ?? 0;
    for (const record of records) {
      if (record.offset < from) continue;
      context.tolerate(record, () => restored.definitions.accept(record));
      if (isTombstone(record)) this.#unloadIfGone(record.key);
    }
    this.#moved('sources', next);
  }

  #takeKeys(records: readonly StoredRecord[], next: number): void {
    const { context, restored } = this.#options;
    for (const record of records) context.tolerate(record, () => learnKey(restored.vault, record, context));
    restored.vault.check();
    this.#moved('keys', next);
  }

  #moved(topic: string, next: number): void {
    this.#read[topic] = Math.max(next, this.#read[topic] ?? 0);
  }

  /** Ahead of the tail, to where they end now. */
  async #readDefinitions(): Promise<void> {
    const { context, restored } = this.#options;
    const { log, partition } = context;
    const to = await log.settledEnd('sources', partition);
    for (let from = this.#read['sources'] ?? 0; from < to; from = this.#read['sources'] ?? 0) {
      const page = await log.read('sources', partition, from, { ...definitionsPage, to });
      // The tail was there first.
      if (this.#read['sources'] !== from) continue;
      for (const { record } of page.malformed) restored.definitions.spoil(record.key);
      this.#takeDefinitions(page.records, page.next);
      if (page.next <= from) return;
    }
  }

  #plan(trigger: QueuedTrigger): Plan {
    const { vault, definitions } = this.#options.restored;
    return planOf(trigger, {
      definition: definitions.get(trigger.sourceId),
      isSettled: this.#settling.covers(trigger.offset),
      key: vault.keyState(trigger.workspace),
    });
  }

  #isRunnable(trigger: QueuedTrigger): boolean {
    const { kind } = this.#plan(trigger);
    if (kind === 'unknown') this.#settling.ask();
    return kind !== 'wait' && kind !== 'unknown';
  }

  #db({ sourceId, workspace }: QueuedTrigger): Readonly<Record<string, string>> {
    const unsaved = this.#finished.toArray().filter(({ queued: other }) => other.sourceId === sourceId);
    const state = this.#options.restored.states.of({ key: sourceId, workspace });
    return state.db.with(unsaved.flatMap(({ dbWrites }) => dbWrites));
  }

  /** One that must be read back first, or its component, is invoked later than those behind it: nothing may follow it. */
  #revisionOf(trigger: QueuedTrigger): unknown {
    if (trigger.record === undefined) return undefined;
    const plan = this.#plan(trigger);
    return plan.kind === 'invoke' && this.#components.isLoaded(plan.definition) ? plan.definition.revision : undefined;
  }

  #execute(trigger: QueuedTrigger, manner: Manner): Promise<Finished | undefined> {
    if (trigger.kind !== 'describe' && trigger.refusal === undefined) this.#loaded.add(trigger.sourceId);
    return this.#runner.run(trigger, manner);
  }

  #ended(trigger: QueuedTrigger, finished: Finished): void {
    this.#finished.push(finished);
    this.#unsavedBytes += finished.bytes;
    this.#options.context.ready();
    this.#backlog.left(trigger);
    this.#noteLength(trigger);
    if (!this.#dispatcher.isRunning(trigger.sourceId)) this.#unloadIfGone(trigger.sourceId);
  }

  #noteLength({ sourceId, lane }: QueuedTrigger): void {
    if (lane === 'runs') this.#fullness.note(sourceId, this.#dispatcher.length(sourceId, 'runs'));
  }

  /** What waits of a source that is gone becomes refused at once, so only a deactivate could still be cut off: none follows. */
  #unloadIfGone(sourceId: string): void {
    const gone = this.#options.restored.definitions.get(sourceId) === undefined;
    if (!gone || !this.#loaded.delete(sourceId)) return;
    this.#options.sandbox.unload(sourceId).catch((error: Error) => this.#options.context.fail(error));
  }

  #positions(triggers: number): Record<string, number> {
    const { partition } = this.#options.context;
    const positions = { [positionKey('triggers', partition)]: triggers };
    const { sources, keys } = this.#read;
    if (sources !== undefined) positions[positionKey('sources', partition)] = sources;
    if (keys !== undefined) positions[positionKey('keys', 0)] = keys;
    return positions;
  }
}

/** After so many losses in a row. */
const repeatDelayMs = (losses: number, { repeatMs, repeatMaxMs }: RuntimeLimits): number =>
  losses < 2 ? 0 : Math.min(repeatMs * 2 ** (losses - 2), repeatMaxMs);

async function within(waitMs: number, promise: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<void>((resolve) => (timer = setTimeout(resolve, waitMs)));
  await Promise.race([promise, over]);
  clearTimeout(timer);
}
