// The runtime's task for a partition: reads triggers, runs them in the lanes of their sources, and appends the output.
import type { Appends, Reads } from '../../domain/flow.ts';
import type { RecordOn, RecordsOn } from '../../domain/messages-of.ts';
import { positionKey, type Position } from '../../log/index.ts';
import { resolvesInTime } from '../../primitives/time-limit.ts';
import { areFromTopic } from '../loop/reading/page-topic.ts';
import type { MalformedRecord } from '../loop/reading/unusable.ts';
import type { Output, StageTask, TaskContext } from '../loop/stage.ts';
import type { TriggerResult } from './outcome/trigger-result.ts';
import { Backlog } from './lanes/backlog.ts';
import { TriggerDispatcher } from './lanes/dispatcher.ts';
import type { ExecutionMode, SharedAdmission } from './lanes/dispatcher-options.ts';
import { readBack } from './lanes/read-back.ts';
import { Fullness } from './lanes/fullness.ts';
import { queuedTriggerOf, type QueuedTrigger } from './source/queued-trigger.ts';
import { refusedTrigger } from './lanes/refused-trigger.ts';
import { TakenTriggerReports } from './lanes/taken-trigger-reports.ts';
import { repeatDelayMs } from './runtime-limits.ts';
import type { RuntimeLimits } from './runtime-limits.ts';
import type { RuntimeOptions } from './runtime-options.ts';
import { withoutEvents } from './output/without-events.ts';
import { OutputBatch } from './output/output-batch.ts';
import { isReady } from './output/ready.ts';
import { UnsavedRuns } from './output/unsaved-runs.ts';
import { PendingEmits } from './pending/pending-emits.ts';
import { DataKeys } from './followed/data-keys.ts';
import { LogsReporting } from './followed/logs-reporting.ts';
import { TriggerRunner } from './running/trigger-runner.ts';
import { CallGate } from './calls/call-gate.ts';
import type { QueueDepths } from './measuring/queue-depths.ts';
import { BundleBuilder } from './bundles/bundle-builder.ts';
import { BundleStore } from './bundles/bundle-store.ts';
import type { BundleCache } from './bundles/bundle-store.ts';
import type { ComponentCache } from './components/component-cache.ts';
import { Components } from './components/components.ts';
import { LoadedSources } from './components/loaded-sources.ts';
import { Planner } from './components/planner.ts';
import { SourceCleanup } from './cleanup/source-cleanup.ts';
import type { Restored } from './restoring/restore-sources.ts';
import { SourceRequests } from './source-requests.ts';
import { KnownSources } from './components/known-sources.ts';

export interface RuntimeTaskOptions extends RuntimeOptions {
  readonly context: TaskContext;
  readonly restored: Restored;
  readonly admission: SharedAdmission;
  readonly componentCache: ComponentCache;
  readonly bundleCache: BundleCache;
  readonly limits: RuntimeLimits;
  readonly depths: QueueDepths;
}

export class RuntimeTask implements StageTask<Reads<'runtime'>, Appends<'runtime'>> {
  readonly start: readonly Position<Reads<'runtime'>>[];
  readonly #options: RuntimeTaskOptions;
  readonly #backlog: Backlog;
  readonly #dispatcher: TriggerDispatcher;
  readonly #fullness: Fullness;
  readonly #takenReports: TakenTriggerReports;
  readonly #runner: TriggerRunner;
  readonly #sources: KnownSources;
  readonly #cleanup: SourceCleanup;
  readonly #requests: SourceRequests;
  readonly #emits: PendingEmits;
  readonly #keys: DataKeys;
  readonly #logs: LogsReporting;
  readonly #unsaved: UnsavedRuns;
  readonly #loadedSources: LoadedSources;
  readonly #calls: CallGate;

  constructor(options: RuntimeTaskOptions) {
    const { context, restored, limits } = options;
    const { log, partition } = context;
    this.#options = options;
    this.start = restored.start;
    this.#loadedSources = new LoadedSources(options.sandbox, (error) => context.fail(error));
    this.#calls = new CallGate({ ownedFrom: restored.ownedFrom, onWaiting: () => context.ready() });
    const from = (of: Position['topic']): number => restored.start.find(({ topic }) => topic === of)?.offset ?? 0;
    this.#unsaved = new UnsavedRuns({ ...options, ...restored });
    this.#keys = new DataKeys(context, restored.vault);
    this.#logs = new LogsReporting({ context, subscribers: restored.subscribers, from: from('subscriptions') });
    this.#backlog = new Backlog(from('triggers'), options, {
      pause: () => context.pause('triggers', partition),
      resume: () => context.resume('triggers', partition),
    });
    this.#fullness = new Fullness(log, limits);
    this.#takenReports = new TakenTriggerReports(options);
    const components = new Components(log, partition, options.componentCache);
    this.#sources = new KnownSources({
      context,
      definitions: restored.definitions,
      from: from('sources'),
      triggersRead: () => this.#backlog.readTo,
      onChanged: (sourceId) => this.#cleanup.handleChanged(sourceId),
      onRemoved: (sourceId) => this.#handleRemoved(sourceId),
      onCaughtUp: () => this.#handleCaughtUp(),
    });
    const isKnown = (id: string): boolean => this.#sources.get(id) !== undefined;
    this.#emits = new PendingEmits({ ...options, ...restored, isKnown });
    const { states, vault, auth, bundleUses } = restored;
    const [backlog, sources, pending, fullness] = [this.#backlog, this.#sources, this.#emits, this.#fullness];
    const isBusy = (id: string): boolean =>
      [this.#dispatcher, this.#unsaved, pending, this.#requests].some((part) => part.has(id));
    this.#cleanup = new SourceCleanup({ ...restored, context, sources, pending, isBusy });
    this.#requests = new SourceRequests({ ...options, ...restored, backlog, sources, pending, fullness });
    const planner = new Planner({ sources, vault, components, auth, running: (id) => this.#dispatcher.running(id) });
    this.#runner = new TriggerRunner({
      ...options,
      log,
      partition,
      vault,
      auth,
      components,
      builder: new BundleBuilder({ ...options, bundles: new BundleStore(log, partition, options.bundleCache) }),
      storedPlaceFor: (user) => bundleUses.storedPlaceFor(user),
      planFor: (trigger) => planner.planFor(trigger),
      dbOf: (trigger) => this.#dbOf(trigger),
      isDbUnreadable: ({ sourceId, workspace }) => states.of({ key: sourceId, workspace }).db.isUnreadable,
      calls: this.#calls,
      stores: this.#requests.storeClient,
      alerts: context.alerts,
    });
    this.#dispatcher = this.#makeDispatcher(planner);
    if (this.#emits.isHeld || bundleUses.hasAny || [...states.ids].some((id) => !isKnown(id))) this.#sources.catchUp();
  }

  #makeDispatcher(planner: Planner): TriggerDispatcher {
    const { context, admission, limits } = this.#options;
    const { log, partition } = context;
    return new TriggerDispatcher({
      admission,
      window: { count: limits.windowMax, bytes: limits.windowBytesMax },
      settingsOf: (trigger) => planner.settingsOf(trigger),
      isolateFor: (trigger, isConcurrent) => planner.isolateFor(trigger, isConcurrent),
      isRunnable: (trigger) => planner.isRunnable(trigger),
      canStart: (expectedBytes) => this.#unsaved.bytes + expectedBytes < limits.unsavedBytesMax,
      repeatDelayMs: ({ losses }) => repeatDelayMs(losses, limits),
      execute: (trigger, manner) => this.#execute(trigger, manner),
      onFinished: (trigger, result, overtaken) =>
        this.#handleEnded(trigger, overtaken.length === 0 ? result : { ...result, overtaken }),
      canBuffer: (bufferedInLane) => this.#backlog.canBuffer(bufferedInLane),
      onBuffered: (trigger) => this.#backlog.buffer(trigger),
      readBack: (offsets) => readBack(log, partition, offsets),
      fail: (error) => context.fail(error),
    });
  }

  handle(records: RecordsOn<Reads<'runtime'>>, next: number): void {
    if (records.length === 0) return;
    if (areFromTopic('triggers', records)) return this.#addRequests(records, next);
    if (areFromTopic('subscriptions', records)) return this.#logs.apply(records, next);
    if (areFromTopic('sources', records)) this.#sources.apply(records, next);
    else if (areFromTopic('accounts', records))
      this.#options.restored.accounts.applyPage(records, next, this.#options.context.tolerate);
    else this.#keys.apply(records, next);
    this.#dispatcher.wake();
  }

  /** A malformed trigger ends as a refused run, in the order of its source's triggers. */
  skipMalformed(malformed: MalformedRecord, next: number): void {
    const { topic } = malformed;
    if (topic === 'sources') this.#sources.skip(malformed, next);
    if (topic === 'subscriptions') this.#logs.markRead(next);
    if (topic === 'keys') this.#keys.markRead(next);
    if (topic === 'accounts') this.#options.restored.accounts.skip(malformed);
    if (topic !== 'triggers') return;
    this.#backlog.markRead(next);
    const refused = refusedTrigger(malformed);
    if (refused !== undefined) this.#enqueue(refused);
  }

  takeOutput(bytesMax: number): Output<Appends<'runtime'>> | undefined {
    return this.#takeBatch(bytesMax) ?? this.#takeTombstones();
  }

  onCommitted(output: Output<Appends<'runtime'>>, offsets: readonly number[]): void {
    const batch = this.#unsaved.committed(output);
    if (batch === undefined) return;
    const nonEvents = withoutEvents(output.records, offsets);
    for (const part of [this.#emits, this.#requests, this.#options.restored.bundleUses])
      part.appended(nonEvents.records, nonEvents.offsets);
    if (this.#requests.isReady) this.#options.context.ready();
    this.#takenReports.removeEnded(batch.replies);
    for (const { gateway, reply } of batch.replies) this.#options.context.log.reply(gateway, reply);
    this.#dispatcher.wakeStarved();
  }

  async stop(drainMs: number): Promise<void> {
    this.#dispatcher.stop();
    this.#calls.close();
    const parts = [this.#unsaved, this.#sources, this.#emits, this.#logs, this.#backlog, this.#requests];
    for (const part of [...parts, this.#fullness, this.#takenReports]) part.stop();
    if (drainMs > 0) await resolvesInTime(this.#dispatcher.waitUntilIdle(), drainMs);
    this.#runner.end();
    await this.#loadedSources.unloadAll();
  }

  #takeBatch(bytesMax: number): Output<Appends<'runtime'>> | undefined {
    if (this.#unsaved.first === undefined && ![this.#requests, this.#emits, this.#calls].some(isReady))
      return undefined;
    const { context, restored, ambient } = this.#options;
    const { states, waiting, bundleUses } = restored;
    const begin = this.#calls.assignToAppend();
    const options = { partition: context.partition, bytesMax, waiting, bundleUses, logs: this.#logs, begin };
    const batch = new OutputBatch(options, ambient.now());
    this.#requests.takeInto(batch, bytesMax, { firstEnded: this.#unsaved.first, isDue: this.#emits.isReady });
    this.#emits.putInto(batch);
    this.#unsaved.putInto(batch, (trigger) => {
      this.#backlog.markDone(trigger);
      if (this.#isSourceRemoved(trigger)) this.#cleanup.handleLateEnd(trigger.sourceId);
    });
    const mark = this.#backlog.mark();
    const records = batch.records(mark);
    // Must not touch the events' records: those of a large output are created when they are encoded.
    for (const one of records) if (one.topic === 'state') states.markOnLog(one.record.key);
    const output = { records, positions: this.#positions(mark) };
    this.#unsaved.registerBatch(output, batch);
    return output;
  }

  /** Tombstones of what removed sources left, once the end of every finished trigger was handed to the log. */
  #takeTombstones(): Output<Appends<'runtime'>> | undefined {
    const mark = this.#backlog.mark();
    const records = this.#cleanup.takeTombstones(mark, this.#options.ambient.now());
    return records.length === 0 ? undefined : { records, positions: this.#positions(mark) };
  }

  #isSourceRemoved({ sourceId, offset, bringsCode }: QueuedTrigger): boolean {
    return this.#sources.get(sourceId) === undefined && (bringsCode === true || this.#sources.isCaughtUp(offset));
  }

  #addRequests(records: readonly RecordOn<'triggers'>[], next: number): void {
    this.#backlog.markRead(next);
    for (const record of records) this.#options.context.tolerate(record, () => this.#addRequest(record));
  }

  #addRequest(record: RecordOn<'triggers'>): void {
    if (record.type === 'TriggerRequested') return this.#enqueue(queuedTriggerOf(record));
    if (record.type === 'LogsRequested') return this.#logs.addRequest(record);
    this.#requests.add(record);
    this.#options.context.ready();
  }

  #enqueue(trigger: QueuedTrigger): void {
    const { sourceId, workspace, lane, offset } = trigger;
    if (this.#options.restored.states.of({ key: sourceId, workspace }).isFinished(lane, offset)) return;
    this.#backlog.add(trigger);
    this.#takenReports.add(trigger);
    this.#dispatcher.add(trigger);
    this.#updateFullness(trigger);
  }

  #handleCaughtUp(): void {
    this.#requests.release();
    this.#cleanup.handleCaughtUp();
    this.#options.context.ready();
    this.#dispatcher.wake();
  }

  /** Triggers that were sent to the sandbox end as usual and are appended; those that still wait are refused. */
  #handleRemoved(sourceId: string): void {
    this.#unloadIfRemoved(sourceId);
    this.#cleanup.handleRemoved(sourceId);
  }

  #dbOf({ sourceId, workspace }: QueuedTrigger): Readonly<Record<string, string>> {
    return this.#options.restored.states.of({ key: sourceId, workspace }).db.with(this.#unsaved.writesOf(sourceId));
  }

  #execute(trigger: QueuedTrigger, mode: ExecutionMode): Promise<TriggerResult | undefined> {
    if (trigger.kind !== 'describe' && trigger.refusal === undefined) this.#loadedSources.add(trigger.sourceId);
    return this.#runner.run(trigger, mode);
  }

  #handleEnded(trigger: QueuedTrigger, result: TriggerResult): void {
    this.#unsaved.add(result);
    this.#options.context.ready();
    this.#backlog.release(trigger);
    this.#updateFullness(trigger);
    this.#unloadIfRemoved(trigger.sourceId);
  }

  #updateFullness({ sourceId, lane }: QueuedTrigger): void {
    if (lane === 'runs') this.#fullness.note(sourceId, this.#dispatcher.queueLength(sourceId, 'runs'));
  }

  /** Unloading would interrupt what runs. */
  #unloadIfRemoved(sourceId: string): void {
    if (this.#sources.get(sourceId) !== undefined || this.#dispatcher.isRunning(sourceId)) return;
    this.#loadedSources.unload(sourceId);
  }

  #positions(triggers: number): Record<string, number> {
    const { partition } = this.#options.context;
    const positions = { [positionKey('triggers', partition)]: triggers };
    positions[positionKey('sources', partition)] = this.#sources.next;
    if (this.#keys.next !== undefined) positions[positionKey('keys', 0)] = this.#keys.next;
    return positions;
  }
}
