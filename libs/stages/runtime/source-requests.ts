// Carries out all requests other than runs, each with the next append: to publish or delete events, to data stores, and
// to record a change of filters.
import type { DeletionRequest, FilterChangeRequest } from '../../domain/channel/messages.ts';
import type { Ambient } from '../../domain/ambient.ts';
import type { StoredRecord } from '../../domain/message.ts';
import type { PublishRequest } from '../../domain/publish/messages.ts';
import type { TaskContext } from '../loop/stage.ts';
import { FilterChanges } from './changes/filter-changes.ts';
import { Deletions } from './deletions/deletions.ts';
import type { DeletionsOptions } from './deletions/deletions.ts';
import { sizes } from '../../domain/sizes.ts';
import type { TriggerResult } from './outcome/trigger-result.ts';
import type { OutputBatch } from './output/output-batch.ts';
import { isReady } from './output/ready.ts';
import type { SourceStates } from './source/source-states.ts';
import type { OutgoingOn } from '../../log/index.ts';
import { StoreClient } from './stores/store-client.ts';
import { StoreRequests } from './stores/store-requests.ts';
import type { StoreRequestsOptions } from './stores/store-requests.ts';
import type { StoreRequest } from '../../domain/store/messages.ts';
import { PublishRequests } from './publishing/publish-requests.ts';
import type { PublishRequestsOptions } from './publishing/publish-requests.ts';
import type { SourceRecentIds } from './publishing/source-recent-ids.ts';

export interface SourceRequestsOptions extends DeletionsOptions, PublishRequestsOptions, StoreRequestsOptions {
  readonly context: TaskContext;
  readonly ambient: Ambient;
}

/** The part of an append for requests when there are runs too: most of it is for runs. */
const requestShare = 0.25;
/** The largest size of a run's record on `$logs`. */
const logEventBytes = sizes.consoleBytes + 4_096;

/** What else waits for the batch. */
interface PendingWork {
  /** The first trigger that has ended; undefined: there is none. */
  readonly firstEnded: TriggerResult | undefined;
  /** Whether emits that waited for their time are due. */
  readonly isDue: boolean;
}

export class SourceRequests {
  readonly #changes: FilterChanges;
  readonly #deletions: Deletions;
  readonly #publishes: PublishRequests;
  readonly #stores: StoreRequests;
  /** Asks data stores for the runs of this partition. */
  readonly storeClient: StoreClient;
  readonly #states: SourceStates;
  readonly #recents: SourceRecentIds;
  /** Whether the last append had no room for requests to publish or to data stores: the next one is for them. */
  #lackedRoom = false;

  constructor(options: SourceRequestsOptions) {
    this.#changes = new FilterChanges(options);
    this.#deletions = new Deletions(options);
    this.#publishes = new PublishRequests(options);
    this.#stores = new StoreRequests(options);
    this.storeClient = new StoreClient({ ...options, log: options.context.log });
    this.#states = options.states;
    this.#recents = options.recents;
  }

  get isReady(): boolean {
    return [this.#changes, this.#deletions, this.#publishes, this.#stores].some(isReady);
  }

  /** Whether a request to publish on the source waits. */
  has(sourceId: string): boolean {
    return this.#publishes.has(sourceId);
  }

  add(request: StoredRecord<FilterChangeRequest | DeletionRequest | PublishRequest | StoreRequest>): void {
    if (request.type === 'FilterChangeRequested') this.#changes.add(request);
    else if (request.type === 'DataStoreRequested') this.#stores.add(request);
    else if (request.type === 'EventsPublishRequested') this.#publishes.add(request);
    else this.#deletions.add(request);
  }

  /** Call after each append, with the offsets of its records. */
  appended(records: readonly OutgoingOn[], offsets: readonly number[]): void {
    this.#recents.markSaved(records, offsets);
    this.#stores.appended(records);
  }

  /** Call when more is known about which sources exist. */
  release(): void {
    this.#deletions.retryUndecided();
    this.#publishes.retryUndecided();
  }

  /** Stops the requests, but not `storeClient`: runs can ask data stores until the runner ends. */
  stop(): void {
    this.#stores.stop();
  }

  takeInto(batch: OutputBatch, bytesMax: number, pending: PendingWork): void {
    const deletesFirst = this.#deletions.needsEmptyBatch;
    if (deletesFirst) this.#deletions.takeInto(batch);
    this.#changes.takeInto(batch, bytesMax);
    const usualBytesMax = bytesMax * requestShare;
    const bytesForRequests = this.#bytesForRequests(bytesMax, pending);
    // A run that leaves less than usual takes turns with requests to data stores.
    const bytesForStores = this.#lackedRoom ? Math.max(bytesForRequests, usualBytesMax) : bytesForRequests;
    const hasStored = this.#stores.takeInto(batch, bytesForStores, bytesForStores >= usualBytesMax);
    if (!deletesFirst) this.#deletions.takeInto(batch);
    const hasPriority = this.#lackedRoom && !pending.isDue;
    const hasPublished = this.#publishes.takeInto(batch, hasPriority ? bytesMax : bytesForRequests);
    this.#lackedRoom = !hasStored || !hasPublished;
    this.#deletions.resolveUndecided();
  }

  /** The bytes for publishing and data stores: all of an append, or a part that leaves room for finished triggers. */
  #bytesForRequests(bytesMax: number, { firstEnded, isDue }: PendingWork): number {
    if (firstEnded === undefined) return isDue ? bytesMax * requestShare : bytesMax;
    const bytesForRuns = firstEnded.bytes + this.#states.of(firstEnded.trigger).bytes + logEventBytes;
    return Math.min(bytesMax * requestShare, bytesMax - bytesForRuns);
  }
}
