// Carries out requests to publish: their events go into the next append, whatever runs.
import { auditSourceOf } from '../../../domain/service-channels/witness.ts';
import type { StoredRecord } from '../../../domain/message.ts';
import type { PublishRequest } from '../../../domain/publish/messages.ts';
import { publishedEventsMax, rememberedCount } from '../../../domain/publish/publish.ts';
import { RecentIds } from '../../../domain/publish/recent-ids.ts';
import { sizes } from '../../../domain/sizes.ts';
import type { TaskContext } from '../../loop/stage.ts';
import type { KnownSources } from '../components/known-sources.ts';
import type { Backlog } from '../lanes/backlog.ts';
import type { Fullness } from '../lanes/fullness.ts';
import type { OutputBatch } from '../output/output-batch.ts';
import type { SourceState } from '../source/source-state.ts';
import type { SourceStates } from '../source/source-states.ts';
import type { SourceRecentIds } from './source-recent-ids.ts';
import { FairSourceQueue } from '../admission/fair-source-queue.ts';

export interface PublishRequestsOptions {
  readonly backlog: Backlog;
  readonly states: SourceStates;
  readonly recents: SourceRecentIds;
  readonly sources: Pick<KnownSources, 'get' | 'isCaughtUp' | 'catchUp'>;
  readonly fullness: Fullness;
  readonly context: Pick<TaskContext, 'ready' | 'fail'>;
}

interface WaitingRequest {
  readonly workspace: string;
  readonly sourceId: string;
  readonly request: StoredRecord<PublishRequest>;
  readonly bytes: number;
}

/** The waiting requests of one source. */
interface Load {
  count: number;
  bytes: number;
}

/** A waiting request counts as one for each 8 KiB, so that a few large ones also make a source full. */
const bytesPerRequest = 8 * 1024;
/** For requests without ids: nothing is looked up or added. */
const noIds = new RecentIds();
/** The size of a request without its events. */
const envelopeBytes = 1_024;

/** Gateways accept no larger request; if one is on the log anyway, it must not make an append too large. */
const isWithinBounds = ({ request, bytes }: WaitingRequest): boolean =>
  request.data.events.length <= publishedEventsMax && bytes <= sizes.recordBytes;

export class PublishRequests {
  readonly #options: PublishRequestsOptions;
  readonly #queue = new FairSourceQueue<WaitingRequest>();
  /** Requests for sources of which it is not known yet whether they exist. */
  readonly #undecided = new Map<string, WaitingRequest[]>();
  /** Requests for sources whose recent ids are being read from the log. */
  readonly #readingIds = new Map<string, WaitingRequest[]>();
  readonly #loads = new Map<string, Load>();

  constructor(options: PublishRequestsOptions) {
    this.#options = options;
  }

  get isReady(): boolean {
    return !this.#queue.isEmpty;
  }

  has(sourceId: string): boolean {
    return this.#loads.has(sourceId);
  }

  /** Skips a request that was carried out before. */
  add(request: StoredRecord<PublishRequest>): void {
    const { backlog, states } = this.#options;
    const { sourceId, events } = request.data;
    if (states.has(sourceId) && request.offset < (this.#stateOf(request).finishedBelow.publishes ?? 0)) return;
    const bytes = Buffer.byteLength(JSON.stringify(events)) + envelopeBytes;
    const waiting: WaitingRequest = { workspace: request.workspace, sourceId, request, bytes };
    backlog.addPublish(request.offset, bytes);
    this.#countWaiting(waiting, 1);
    const blocked = this.#undecided.get(sourceId) ?? this.#readingIds.get(sourceId);
    if (blocked === undefined) this.#queue.push(waiting);
    else blocked.push(waiting);
  }

  /** Call when more is known about which sources exist. */
  retryUndecided(): void {
    const undecided = [...this.#undecided.values()];
    this.#undecided.clear();
    for (const waiting of undecided) for (const one of waiting) this.#queue.push(one);
  }

  /** Carries out as many requests as fit into these bytes. False: there was no room even for the first. */
  takeInto(batch: OutputBatch, bytesMax: number): boolean {
    const { sources } = this.#options;
    let taken = 0;
    let isFull = false;
    for (let first = this.#queue.peek(); first !== undefined; first = this.#queue.peek()) {
      const { sourceId, request, bytes } = first;
      const isKnown = sources.get(sourceId) !== undefined || sourceId === auditSourceOf(first.workspace);
      const isAccepted = isKnown && isWithinBounds(first);
      if (!isKnown && !sources.isCaughtUp(request.offset)) {
        this.#undecided.set(sourceId, [...this.#queue.shiftSource()]);
        continue;
      }
      const recent = isAccepted ? this.#recentOf(first) : noIds;
      if (recent === undefined) {
        this.#readRecentIds(sourceId, this.#queue.shiftSource());
        continue;
      }
      isFull = isAccepted && !this.#publish(first, { batch, bytesMax, recent });
      if (isFull) break;
      taken++;
      if (!isAccepted) batch.refusePublish(request);
      this.#queue.shift();
      this.#options.backlog.publishDone(request.offset, bytes);
      this.#countWaiting(first, -1);
    }
    if (this.#undecided.size > 0) sources.catchUp();
    return taken > 0 || !isFull;
  }

  #publish(
    { request, bytes, sourceId }: WaitingRequest,
    { batch, bytesMax, recent }: { batch: OutputBatch; bytesMax: number; recent: RecentIds },
  ): boolean {
    const isPublished = batch.publish(request, this.#stateOf(request), { recent, bytes, bytesMax });
    if (recent !== noIds) this.#options.recents.markUsed(sourceId);
    return isPublished;
  }

  /** The source's recent ids; undefined: they are only on the log. */
  #recentOf({ request, sourceId }: WaitingRequest): RecentIds | undefined {
    return rememberedCount(request) === 0 ? noIds : this.#options.recents.of(sourceId);
  }

  /** Reads the source's recent ids; then its waiting requests continue in order. */
  #readRecentIds(sourceId: string, waiting: readonly WaitingRequest[]): void {
    const { recents, context } = this.#options;
    this.#readingIds.set(sourceId, [...waiting]);
    recents.read(sourceId).then(
      () => {
        const all = this.#readingIds.get(sourceId) ?? [];
        this.#readingIds.delete(sourceId);
        for (const one of all) this.#queue.push(one);
        context.ready();
      },
      (error: unknown) => context.fail(error instanceof Error ? error : new Error(String(error))),
    );
  }

  #stateOf({ data: { sourceId }, workspace }: StoredRecord<PublishRequest>): SourceState {
    return this.#options.states.of({ key: sourceId, workspace });
  }

  #countWaiting({ sourceId, bytes }: WaitingRequest, change: 1 | -1): void {
    const load = this.#loads.get(sourceId) ?? { count: 0, bytes: 0 };
    load.count += change;
    load.bytes += change * bytes;
    if (load.count === 0) this.#loads.delete(sourceId);
    else this.#loads.set(sourceId, load);
    this.#options.fullness.note(sourceId, Math.max(load.count, Math.ceil(load.bytes / bytesPerRequest)));
  }
}
