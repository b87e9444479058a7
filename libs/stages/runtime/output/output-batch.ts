// Collects the records of one append: events, run records and hook outcomes, and each touched source's state once.
import { isFormCall } from '../../../domain/call/call.ts';
import { errorsReport } from '../../../domain/run/errors-report.ts';
import { hookRecord, recordAfter, runIdOf, runOutput } from '../../../domain/run/run-output.ts';
import type { Cause, RunEnd } from '../../../domain/run/run-output.ts';
import { deletionEvent } from '../../../domain/deletion/deletion.ts';
import type { DeletionRequest } from '../../../domain/channel/messages.ts';
import type { PendingEvent } from '../../../domain/pending/messages.ts';
import { eventWhenDue, pendingTombstone } from '../../../domain/pending/pending.ts';
import { logsChannel } from '../../../domain/run/logs-report.ts';
import type { Appends } from '../../../domain/flow.ts';
import { isSourceId } from '../../../domain/id.ts';
import type { Millis, StoredRecord } from '../../../domain/message.ts';
import { versionOf } from '../../../domain/record/record-version.ts';
import type { PublishRequest } from '../../../domain/publish/messages.ts';
import { publish, rememberedCount } from '../../../domain/publish/publish.ts';
import type { RecentIds } from '../../../domain/publish/recent-ids.ts';
import { recentKey } from '../../../domain/publish/recent-key.ts';
import { sizes } from '../../../domain/sizes.ts';
import type { OutgoingOn, Reply } from '../../../log/index.ts';
import type { LogsReporting } from '../followed/logs-reporting.ts';
import type { WaitingEmits } from './waiting-emits.ts';
import type { BundleUses } from '../bundles/bundle-uses.ts';
import { validEncoding } from './encoded-output.ts';
import type { EncodedOutput } from './encoded-output.ts';
import { eventsOutgoing } from './event-outgoing.ts';
import {
  dueOverheadBytes,
  factBytes,
  logsOverheadBytes,
  publishedOverheadBytes,
  segmentBytes,
  tombstoneBytes,
} from './record-bytes.ts';
import { sourceGoneError, type TriggerResult } from '../outcome/trigger-result.ts';
import type { SourceDb } from '../source/source-db.ts';
import type { SourceState } from '../source/source-state.ts';

interface TouchedState {
  readonly state: SourceState;
  /** The message that caused the state's record. */
  readonly cause: Cause;
  readonly changed: boolean;
}

export interface BatchOptions {
  readonly partition: number;
  readonly bytesMax: number;
  readonly waiting: WaitingEmits;
  readonly logs: Pick<LogsReporting, 'isReported'>;
  readonly bundleUses: Pick<BundleUses, 'use' | 'scheduleCheck'>;
  /** Lets calls begin once the batch is on the log. */
  readonly begin: () => void;
}

type RuntimeOutgoing = OutgoingOn<Appends<'runtime'>>;
type UnplacedOnEach = { [T in Appends<'runtime'>]: Pick<OutgoingOn<T>, 'topic' | 'record'> };
type Unplaced = UnplacedOnEach[Appends<'runtime'>];

export interface GatewayReply {
  readonly gateway: string;
  readonly reply: Reply;
  /** The offset of the trigger whose end the reply reports. */
  readonly endedOffset?: number;
}

export class OutputBatch {
  readonly #options: BatchOptions;
  readonly now: Millis;
  readonly #records: RuntimeOutgoing[] = [];
  readonly #touched = new Map<string, TouchedState>();
  /** The sources whose recent ids have changed by publishing. */
  readonly #recent = new Map<string, { readonly recent: RecentIds; readonly cause: Cause }>();
  /** Sent to waiting gateways once the batch is on the log. */
  readonly replies: GatewayReply[] = [];
  #bytes = 0;
  /** The sum of the results' `heldBytes`. */
  heldBytes = 0;

  constructor(options: BatchOptions, now: Millis) {
    this.#options = options;
    this.now = now;
  }

  /** Call when the batch is on the log. */
  committed(): void {
    this.#options.begin();
  }

  get isEmpty(): boolean {
    return this.#records.length === 0;
  }

  /** Whether the finished trigger still fits; the first always does. */
  fits(result: TriggerResult, state: SourceState): boolean {
    const bytes = result.bytes + this.#stateBytes(state) + this.#logsBytesOf(result);
    return this.#records.length === 0 || this.#bytes + bytes <= this.#options.bytesMax;
  }

  /** Whether this many more bytes fit, if the batch has at most `bytesMax`. */
  hasRoom(bytes: number, bytesMax: number): boolean {
    return this.#bytes + bytes <= bytesMax;
  }

  /** Adds records that change no source's state. */
  attach(records: readonly OutgoingOn<'stores' | 'channels'>[], bytes: number): void {
    this.#bytes += bytes;
    this.#records.push(...records);
  }

  /** Adds a finished trigger and applies its effects to the source's state. `encoded`: its output, if encoded ahead. */
  add(result: TriggerResult, state: SourceState, encoded?: EncodedOutput): void {
    const { queued, trigger, dbWrites, hook, strategy } = result;
    this.#bytes += result.bytes + this.#stateBytes(state);
    this.heldBytes += result.heldBytes;
    const end = this.#applyWrites(result, state.db);
    const { waiting } = this.#options;
    const source = { sourceId: state.sourceId, workspace: trigger.workspace };
    const logsBytes = this.#logsBytesOf(result);
    const ahead = logsBytes === 0 ? validEncoding(encoded, state.memory, end) : undefined;
    const logsLimit = logsBytes === 0 ? {} : { logsBytesMax: this.#eventRoom };
    const options = { strategy, now: this.now, pendingCapacity: waiting.capacityFor(source), ...logsLimit };
    const { events, pending, run, memory } = ahead?.output ?? runOutput(trigger, end, state.memory, options);
    this.#bytes += logsBytes;
    for (const event of ahead?.events ?? eventsOutgoing(events, this.#options.partition)) this.#records.push(event);
    for (const one of pending) this.#put({ topic: 'pending', record: one }, true);
    if (pending.length > 0) waiting.reserve(source, pending.length);
    if (hook !== undefined) this.#putHook(result, hook);
    // The run of a component that is not deployed is not recorded: its caller gets its whole output.
    if (!isFormCall(queued.kind) || isSourceId(state.sourceId)) this.#put({ topic: 'runs', record: run }, true);
    state.memory = memory;
    state.finish(queued.lane, queued.offset, result.overtaken ?? []);
    const changed = events.length > 0 || dbWrites.length > 0 || this.#touched.get(state.sourceId)?.changed === true;
    this.#touched.set(state.sourceId, { state, cause: trigger, changed });
    this.#reply(result, end);
  }

  /** False: it does not fit. `state` is undefined for a source that is gone. */
  delete(request: StoredRecord<DeletionRequest>, state: SourceState | undefined): boolean {
    const isNew = state !== undefined && !this.#touched.has(state.sourceId);
    const bytes = factBytes + (isNew ? state.bytes : 0);
    if (this.#records.length > 0 && this.#bytes + bytes > this.#options.bytesMax) return false;
    this.#bytes += bytes;
    const fact = deletionEvent(request, state?.memory, this.now);
    if (fact !== undefined) this.#put({ topic: 'channels', record: fact });
    if (state === undefined) return true;
    state.markDeletionDone(request.offset);
    if (isNew) this.#touched.set(state.sourceId, { state, cause: request, changed: false });
    return true;
  }

  /** Whether this many cancelled events still fit; an empty batch takes any number. */
  fitsCancelled(count: number, state: SourceState): boolean {
    return this.isEmpty || this.#bytes + this.#cancelledBytes(count, state) <= this.#options.bytesMax;
  }

  /** Adds the tombstones of cancelled events, which belong in the same append as the end of the request. */
  cancel(
    request: StoredRecord<DeletionRequest>,
    state: SourceState,
    tombstones: readonly OutgoingOn<'pending'>[],
  ): void {
    this.#bytes += this.#cancelledBytes(tombstones.length, state);
    for (const tombstone of tombstones) this.#records.push(tombstone);
    state.markDeletionDone(request.offset);
    if (!this.#touched.has(state.sourceId))
      this.#touched.set(state.sourceId, { state, cause: request, changed: false });
  }

  /** Turns a request to publish into events, and adds the reply. False: it does not fit, and nothing was done. */
  publish(
    request: StoredRecord<PublishRequest>,
    state: SourceState,
    { recent, bytes, bytesMax }: { readonly recent: RecentIds; readonly bytes: number; readonly bytesMax: number },
  ): boolean {
    const { events: requested } = request.data;
    const segmentsBytes = recent.segmentsChangedBy(rememberedCount(request)) * segmentBytes;
    const needed = bytes + requested.length * publishedOverheadBytes + segmentsBytes + this.#stateBytes(state);
    const isFirst = this.#records.length === 0 && bytesMax >= this.#options.bytesMax;
    if (!isFirst && this.#bytes + needed > bytesMax) return false;
    this.#bytes += needed;
    const { events, ids, duplicates, clock } = publish(request, { clock: state.memory, recent, now: this.now });
    for (const event of events) this.#put({ topic: 'channels', record: event }, true);
    state.memory = { ...state.memory, ...clock };
    state.markPublishDone(request.offset);
    const changed = events.length > 0 || this.#touched.get(state.sourceId)?.changed === true;
    this.#touched.set(state.sourceId, { state, cause: request, changed });
    if (rememberedCount(request) > 0) this.#recent.set(state.sourceId, { recent, cause: request });
    const { correlationId } = request;
    this.replies.push({
      gateway: request.data.replyTo,
      reply: { type: 'EventsPublished', correlationId, ids, duplicates },
    });
    return true;
  }

  /** Adds the refusal of a request whose source is gone. */
  refusePublish({ correlationId, data: { replyTo } }: PublishRequest): void {
    this.replies.push({ gateway: replyTo, reply: { type: 'PublishRefused', correlationId } });
  }

  /** Turns an emit that waited for its time into an event. False: it does not fit. */
  emit(pending: PendingEvent, state: SourceState): boolean {
    const bytes = Buffer.byteLength(JSON.stringify(pending.data)) + dueOverheadBytes + this.#stateBytes(state);
    if (this.#records.length > 0 && this.#bytes + bytes > this.#options.bytesMax) return false;
    const { event, clock } = eventWhenDue(pending, state.memory, this.now);
    this.#bytes += bytes;
    this.#put({ topic: 'channels', record: event }, true);
    this.#put({ topic: 'pending', record: pendingTombstone(state.sourceId, pending.data.number, this.now) });
    state.memory = { ...state.memory, ...clock };
    this.#touched.set(state.sourceId, { state, cause: { ...pending, key: state.sourceId }, changed: true });
    return true;
  }

  /**
   * Every record, the sources' states last. A state that only says which triggers are finished is left out when the
   * mark already says so.
   */
  records(mark: number): readonly RuntimeOutgoing[] {
    for (const { state, cause, changed } of this.#touched.values()) {
      if (!changed && state.finishedTo <= mark) continue;
      const envelope = recordAfter(cause, 'state', this.now);
      const saved = { type: 'SourceStateSaved', data: state.toSaved() } as const;
      this.#put({ topic: 'state', record: { ...envelope, ...saved, version: versionOf(saved) } });
    }
    for (const [sourceId, { recent, cause }] of this.#recent)
      for (const segment of recent.takeChanged()) {
        const envelope = recordAfter(cause, `ids ${segment.segment}`, this.now);
        const saved = { type: 'RecentIdsSaved', data: { sourceId, ...segment } } as const;
        const key = recentKey(sourceId, segment.segment);
        this.#put({ topic: 'state', record: { ...envelope, ...saved, key, version: versionOf(saved) } });
      }
    return this.#records;
  }

  /** Adds a hook's outcome, and before it the bundle that it names. */
  #putHook({ trigger, packed }: TriggerResult, hook: NonNullable<TriggerResult['hook']>): void {
    if (packed === undefined || hook.type !== 'SourceDescribed')
      return this.#put({ topic: 'hooks', record: hookRecord(trigger, hook, this.now) });
    const { bundleUses } = this.#options;
    const { sourceId, revision } = hook.data;
    const { place, parts, use } = bundleUses.use({ sourceId, revision }, packed, { cause: trigger, now: this.now });
    for (const record of parts) this.#put({ topic: 'bundles', record }, true);
    this.#put({ topic: 'state', record: use });
    const data = { ...hook.data, bundle: place };
    this.#put({ topic: 'hooks', record: hookRecord(trigger, { ...hook, data }, this.now) });
    // The deploy or update that needed the bundle might have ended in the meantime.
    bundleUses.scheduleCheck(sourceId);
  }

  /** The bytes that the source's state adds: it is written once per batch. */
  #stateBytes({ sourceId, bytes }: SourceState): number {
    return this.#touched.has(sourceId) ? 0 : bytes;
  }

  #cancelledBytes(count: number, state: SourceState): number {
    return count * tombstoneBytes + this.#stateBytes(state);
  }

  /** The bytes of the report on `$logs`; 0: there is none. */
  #logsBytesOf({ trigger, end }: TriggerResult): number {
    const { sourceId, channel } = trigger.data;
    // A source that prints for each event of `$logs` would otherwise run for its own output forever.
    if (channel === logsChannel) return 0;
    if (!isSourceId(sourceId) || !this.#options.logs.isReported(sourceId, trigger.workspace)) return 0;
    return Buffer.byteLength(JSON.stringify(end.console)) + logsOverheadBytes;
  }

  /** The bytes left for one more event. */
  get #eventRoom(): number {
    return Math.min(sizes.emitBytes, this.#options.bytesMax - this.#bytes);
  }

  #put(outgoing: Unplaced, isFinal = false): void {
    this.#records.push({ ...outgoing, partition: this.#options.partition, isFinal });
  }

  /** A full db is the run's error, unless the run failed by itself. */
  #applyWrites({ end, dbWrites, trigger, original }: TriggerResult, db: SourceDb): RunEnd {
    const rejectedKeys = db.apply(dbWrites);
    if (rejectedKeys.length === 0 || end.error !== undefined) return end;
    const message = `The source's db may have ${sizes.dbBytes} bytes; not stored: ${[...new Set(rejectedKeys)].join(', ').slice(0, 256)}`;
    const error = { name: 'DbFullError', message };
    const failed: RunEnd = { ...end, outcome: 'failed', error };
    if (original === undefined) return failed;
    const report = errorsReport(original(), { runId: runIdOf(trigger), error }, this.#eventRoom);
    this.#bytes += report.bytes;
    return { ...failed, reports: [report.emit] };
  }

  #reply({ queued, trigger: { correlationId, data }, form }: TriggerResult, { outcome, error, console }: RunEnd): void {
    if (data.replyTo === undefined) return;
    const answer = { ...form, console, ...(error === undefined ? {} : { error }) };
    const isGone = outcome === 'refused' && error?.name === sourceGoneError;
    const extra = { ...(isFormCall(data.kind) ? { answer } : {}), ...(isGone ? ({ gone: true } as const) : {}) };
    const reply: Reply = { type: 'RunEnded', correlationId, failed: outcome !== 'succeeded', ...extra };
    this.replies.push({ gateway: data.replyTo, reply, endedOffset: queued.offset });
  }
}
