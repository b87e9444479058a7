// The runtime's task for a partition: reads triggers, runs them in the lanes of their sources, and appends the output.
import type { Appends, Reads } from '../../domain/flow.ts';
import type { RecordOn, RecordsOn } from '../../domain/messages-of.ts';
import { positionKey, type Position } from '../../log/index.ts';
import { inTime } from '../../primitives/time-limit.ts';
import { areOf } from '../loop/reading/page-of.ts';
import type { MalformedRecord } from '../loop/reading/unusable.ts';
import type { Output, StageTask, TaskContext } from '../loop/stage.ts';
import type { Finished } from './outcome/finished.ts';
import { Backlog } from './lanes/backlog.ts';
import { TriggerDispatcher } from './lanes/dispatcher.ts';
import type { Manner, SharedPlaces } from './lanes/dispatcher-options.ts';
import { readBack } from './lanes/read-back.ts';
import { Fullness } from './lanes/fullness.ts';
import { queued, type QueuedTrigger } from './source/queued-trigger.ts';
import { refusedTrigger } from './lanes/refused-trigger.ts';
import { TakenTriggers } from './lanes/taken-triggers.ts';
import { repeatDelayMs } from './runtime-limits.ts';
import type { RuntimeLimits } from './runtime-limits.ts';
import type { RuntimeOptions } from './runtime-options.ts';
import { withoutEvents } from './output/without-events.ts';
import { OutputBatch } from './output/output-batch.ts';
import { isReady } from './output/ready.ts';
import { UnsavedRuns } from './output/unsaved-runs.ts';
import { PendingEmits } from './pending/pending-emits.ts';
import { Keys } from './followed/data-keys.ts';
import { Logs } from './followed/logs.ts';
import { TriggerRunner } from './running/trigger-runner.ts';
import { Calls } from './calls/calls.ts';
import type { Depths } from './measuring/depths.ts';
import { Builder } from './bundles/builder.ts';
import { Bundles } from './bundles/bundles.ts';
import type { BundleCache } from './bundles/bundles.ts';
import type { ComponentCache } from './components/cache.ts';
import { Components } from './components/components.ts';
import { LoadedSources } from './components/loaded.ts';
import { Plans } from './components/plans.ts';
import { Leaving } from './leaving/leaving.ts';
import type { Restored } from './restoring/restore-sources.ts';
import { SourceRequests } from './source-requests.ts';
import { KnownSources } from './components/known-sources.ts';

export interface RuntimeTaskOptions extends RuntimeOptions {
  readonly context: TaskContext;
  readonly restored: Restored;
  readonly places: SharedPlaces;
  readonly componentCache: ComponentCache;
  readonly bundleCache: BundleCache;
  readonly limits: RuntimeLimits;
  readonly depths: Depths;
}

export class RuntimeTask implements StageTask<Reads<'runtime'>, Appends<'runtime'>> {
  readonly start: readonly Position<Reads<'runtime'>>[];
  readonly #options: RuntimeTaskOptions;
  readonly #backlog: Backlog;
  readonly #dispatcher: TriggerDispatcher;
  readonly #fullness: Fullness;
  readonly #taken: TakenTriggers;
  readonly #runner: TriggerRunner;
  readonly #sources: KnownSources;
  readonly #leaving: Leaving;
  readonly #requests: SourceRequests;
  readonly #pending: PendingEmits;
  readonly #keys: Keys;
  readonly #logs: Logs;
  readonly #unsaved: UnsavedRuns;
  readonly #loaded: LoadedSources;
  readonly #calls: Calls;

  constructor(options: RuntimeTaskOptions) {
    const { context, restored, limits } = options;
    const { log, partition } = context;
    this.#options = options;
    this.start = restored.start;
    this.#loaded = new LoadedSources(options.sandbox, (error) => context.fail(error));
    this.#calls = new Calls({ ownedFrom: restored.ownedFrom, ready: () => context.ready() });
    const from = (of: Position['topic']): number => restored.start.find(({ topic }) => topic === of)?.offset ?? 0;
    this.#unsaved = new UnsavedRuns({ ...options, ...restored });
    this.#keys = new Keys(context, restored.vault);
    this.#logs = new Logs({ context, subscribers: restored.subscribers, from: from('subscriptions') });
    this.#backlog = new Backlog(from('triggers'), options, {
      pause: () => context.pause('triggers', partition),
      resume: () => context.resume('triggers', partition),
    });
    this.#fullness = new Fullness(log, limits);
    this.#taken = new TakenTriggers(options);
    const components = new Components(log, partition, options.componentCache);
    this.#sources = new KnownSources({
      context,
      definitions: restored.definitions,
      from: from('sources'),
      triggersRead: () => this.#backlog.readTo,
      changed: (sourceId) => this.#leaving.changed(sourceId),
      gone: (sourceId) => this.#gone(sourceId),
      settled: () => this.#settled(),
    });
    const isKnown = (id: string): boolean => this.#sources.get(id) !== undefined;
    this.#pending = new PendingEmits({ ...options, ...restored, isKnown });
    const { states, vault, auth, bundleUses } = restored;
    const [backlog, sources, pending, fullness] = [this.#backlog, this.#sources, this.#pending, this.#fullness];
    const isBusy = (id: string): boolean =>
      [this.#dispatcher, this.#unsaved, pending, this.#requests].some((part) => part.has(id));
    this.#leaving = new Leaving({ ...restored, context, sources, pending, isBusy });
    this.#requests = new SourceRequests({ ...options, ...restored, backlog, sources, pending, fullness });
    const plans = new Plans({ sources, vault, components, auth, running: (id) => this.#dispatcher.running(id) });
    this.#runner = new TriggerRunner({
      ...options,
      log,
      partition,
      vault,
      auth,
      components,
      builder: new Builder({ ...options, bundles: new Bundles(log, partition, options.bundleCache) }),
      placeOf: (user) => bundleUses.placeFor(user),
      plan: (trigger) => plans.of(trigger),
      db: (trigger) => this.#db(trigger),
      dbCloses: ({ sourceId, workspace }) => states.of({ key: sourceId, workspace }).db.closed,
      calls: this.#calls,
      stores: this.#requests.asker,
      alerts: context.alerts,
    });
    this.#dispatcher = this.#makeDispatcher(plans);
    if (this.#pending.isHeld || bundleUses.hasAny || [...states.ids].some((id) => !isKnown(id))) this.#sources.settle();
  }

  #makeDispatcher(plans: Plans): TriggerDispatcher {
    const { context, places, limits } = this.#options;
    const { log, partition } = context;
    return new TriggerDispatcher({
      places,
      window: { count: limits.windowMax, bytes: limits.windowBytesMax },
      settingsOf: (trigger) => plans.settingsOf(trigger),
      isolateFor: (trigger, isConcurrent) => plans.isolateFor(trigger, isConcurrent),
      runnable: (trigger) => plans.isRunnable(trigger),
      mayStart: (expectedBytes) => this.#unsaved.bytes + expectedBytes < limits.unsavedBytesMax,
      repeatDelayMs: ({ losses }) => repeatDelayMs(losses, limits),
      execute: (trigger, manner) => this.#execute(trigger, manner),
      finished: (trigger, finished, overtaken) =>
        this.#ended(trigger, overtaken.length === 0 ? finished : { ...finished, overtaken }),
      mayKeep: (keptOfLane) => this.#backlog.mayKeep(keptOfLane),
      kept: (trigger) => this.#backlog.keep(trigger),
      readBack: (offsets) => readBack(log, partition, offsets),
      fail: (error) => context.fail(error),
    });
  }

  handle(records: RecordsOn<Reads<'runtime'>>, next: number): void {
    if (records.length === 0) return;
    if (areOf('triggers', records)) return this.#takeRequests(records, next);
    if (areOf('subscriptions', records)) return this.#logs.take(records, next);
    if (areOf('sources', records)) this.#sources.take(records, next);
    else if (areOf('accounts', records))
      this.#options.restored.accounts.takePage(records, next, this.#options.context.tolerate);
    else this.#keys.take(records, next);
    this.#dispatcher.wake();
  }

  /** A malformed trigger ends as a refused run, in the order of its source's triggers. */
  pass(malformed: MalformedRecord, next: number): void {
    const { topic } = malformed;
    if (topic === 'sources') this.#sources.pass(malformed, next);
    if (topic === 'subscriptions') this.#logs.readTo(next);
    if (topic === 'keys') this.#keys.readTo(next);
    if (topic === 'accounts') this.#options.restored.accounts.pass(malformed);
    if (topic !== 'triggers') return;
    this.#backlog.readUpTo(next);
    const refused = refusedTrigger(malformed);
    if (refused !== undefined) this.#queue(refused);
  }

  take(bytesMax: number): Output<Appends<'runtime'>> | undefined {
    return this.#takeFinished(bytesMax) ?? this.#takeDeparted();
  }

  committed(output: Output<Appends<'runtime'>>, offsets: readonly number[]): void {
    const batch = this.#unsaved.committed(output);
    if (batch === undefined) return;
    const kept = withoutEvents(output.records, offsets);
    for (const part of [this.#pending, this.#requests, this.#options.restored.bundleUses])
      part.appended(kept.records, kept.offsets);
    if (this.#requests.isReady) this.#options.context.ready();
    this.#taken.ended(batch.replies);
    for (const { gateway, reply } of batch.replies) this.#options.context.log.reply(gateway, reply);
    this.#dispatcher.wakeStarved();
  }

  async stop(drainMs: number): Promise<void> {
    this.#dispatcher.stop();
    this.#calls.close();
    const parts = [this.#unsaved, this.#sources, this.#pending, this.#logs, this.#backlog, this.#requests];
    for (const part of [...parts, this.#fullness, this.#taken]) part.stop();
    if (drainMs > 0) await inTime(this.#dispatcher.idle(), drainMs);
    this.#runner.end();
    await this.#loaded.unloadAll();
  }

  #takeFinished(bytesMax: number): Output<Appends<'runtime'>> | undefined {
    if (this.#unsaved.first === undefined && ![this.#requests, this.#pending, this.#calls].some(isReady))
      return undefined;
    const { context, restored, ambient } = this.#options;
    const { states, waiting, bundleUses } = restored;
    const begin = this.#calls.take();
    const options = { partition: context.partition, bytesMax, waiting, bundleUses, logs: this.#logs, begin };
    const batch = new OutputBatch(options, ambient.now());
    this.#requests.takeInto(batch, bytesMax, { ended: this.#unsaved.first, isDue: this.#pending.isReady });
    this.#pending.putInto(batch);
    this.#unsaved.putInto(batch, (trigger) => {
      this.#backlog.done(trigger);
      if (this.#isGone(trigger)) this.#leaving.add(trigger.sourceId);
    });
    const mark = this.#backlog.mark();
    const records = batch.records(mark);
    // Must not touch the events' records: those of a large output are created when they are encoded.
    for (const one of records) if (one.topic === 'state') states.saved(one.record.key);
    const output = { records, positions: this.#positions(mark) };
    this.#unsaved.taken(output, batch);
    return output;
  }

  /** Tombstones of what sources left, once the end of every finished trigger was handed to the log. */
  #takeDeparted(): Output<Appends<'runtime'>> | undefined {
    const mark = this.#backlog.mark();
    const records = this.#leaving.take(mark, this.#options.ambient.now());
    return records.length === 0 ? undefined : { records, positions: this.#positions(mark) };
  }

  #isGone({ sourceId, offset, bringsCode }: QueuedTrigger): boolean {
    return this.#sources.get(sourceId) === undefined && (bringsCode === true || this.#sources.isSettled(offset));
  }

  #takeRequests(records: readonly RecordOn<'triggers'>[], next: number): void {
    this.#backlog.readUpTo(next);
    for (const record of records) this.#options.context.tolerate(record, () => this.#takeRequest(record));
  }

  #takeRequest(record: RecordOn<'triggers'>): void {
    if (record.type === 'TriggerRequested') return this.#queue(queued(record));
    if (record.type === 'LogsRequested') return this.#logs.request(record);
    this.#requests.add(record);
    this.#options.context.ready();
  }

  #queue(trigger: QueuedTrigger): void {
    const { sourceId, workspace, lane, offset } = trigger;
    if (this.#options.restored.states.of({ key: sourceId, workspace }).isFinished(lane, offset)) return;
    this.#backlog.add(trigger);
    this.#taken.note(trigger);
    this.#dispatcher.add(trigger);
    this.#noteLength(trigger);
  }

  #settled(): void {
    this.#requests.release();
    this.#leaving.settled();
    this.#options.context.ready();
    this.#dispatcher.wake();
  }

  /** Triggers that were sent to the sandbox end as usual and are appended; those that still wait are refused. */
  #gone(sourceId: string): void {
    this.#unloadIfGone(sourceId);
    this.#leaving.gone(sourceId);
  }

  #db({ sourceId, workspace }: QueuedTrigger): Readonly<Record<string, string>> {
    return this.#options.restored.states.of({ key: sourceId, workspace }).db.with(this.#unsaved.writesOf(sourceId));
  }

  #execute(trigger: QueuedTrigger, manner: Manner): Promise<Finished | undefined> {
    if (trigger.kind !== 'describe' && trigger.refusal === undefined) this.#loaded.add(trigger.sourceId);
    return this.#runner.run(trigger, manner);
  }

  #ended(trigger: QueuedTrigger, finished: Finished): void {
    this.#unsaved.add(finished);
    this.#options.context.ready();
    this.#backlog.left(trigger);
    this.#noteLength(trigger);
    this.#unloadIfGone(trigger.sourceId);
  }

  #noteLength({ sourceId, lane }: QueuedTrigger): void {
    if (lane === 'runs') this.#fullness.note(sourceId, this.#dispatcher.length(sourceId, 'runs'));
  }

  /** Unloading would interrupt what runs. */
  #unloadIfGone(sourceId: string): void {
    if (this.#sources.get(sourceId) !== undefined || this.#dispatcher.isRunning(sourceId)) return;
    this.#loaded.unload(sourceId);
  }

  #positions(triggers: number): Record<string, number> {
    const { partition } = this.#options.context;
    const positions = { [positionKey('triggers', partition)]: triggers };
    positions[positionKey('sources', partition)] = this.#sources.next;
    if (this.#keys.next !== undefined) positions[positionKey('keys', 0)] = this.#keys.next;
    return positions;
  }
}
