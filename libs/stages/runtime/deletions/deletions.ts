// Carries out requests to delete events with the next append, before the triggers that wait for the same source.
import type { DeletionRequest } from '../../../domain/channel/messages.ts';
import type { StoredRecord } from '../../../domain/message.ts';
import { pendingChannel } from '../../../domain/pending/pending.ts';
import { Fifo } from '../../../primitives/collections/fifo.ts';
import type { PendingEmits } from '../pending/pending-emits.ts';
import type { IdRange } from '../output/waiting-emits.ts';
import type { Backlog } from '../lanes/backlog.ts';
import type { OutputBatch } from '../output/output-batch.ts';
import type { KnownSources } from '../components/known-sources.ts';
import type { SourceState } from '../source/source-state.ts';
import type { SourceStates } from '../source/source-states.ts';

type Request = StoredRecord<DeletionRequest>;

/** The most requests per append: the rest of it is for finished triggers. */
const perAppendMax = 1_000;

export interface DeletionsOptions {
  readonly backlog: Backlog;
  readonly states: SourceStates;
  readonly sources: Pick<KnownSources, 'get' | 'isCaughtUp' | 'catchUp'>;
  readonly pending: Pick<PendingEmits, 'cancel' | 'count' | 'isConfirmed'>;
}

export class Deletions {
  readonly #options: DeletionsOptions;
  readonly #ready = new Fifo<Request>();
  /** Requests for sources that might be gone, which is not known yet. */
  #undecided: Request[] = [];
  #needsEmptyBatch = false;

  constructor(options: DeletionsOptions) {
    this.#options = options;
  }

  get isReady(): boolean {
    const first = this.#ready.peek();
    return first !== undefined && (!isOfPending(first) || this.#options.pending.isConfirmed(first.data.sourceId));
  }

  /** Whether the first request had no room in the last append: it goes into the next one before anything else. */
  get needsEmptyBatch(): boolean {
    return this.#needsEmptyBatch;
  }

  /** Skips a request that was carried out before. */
  add(request: Request): void {
    const { backlog } = this.#options;
    if (request.offset < (this.#stateOf(request)?.finishedBelow.deletions ?? 0)) return;
    backlog.addRequest(request.offset);
    this.#ready.push(request);
  }

  /** Call when more is known about which sources are gone. */
  retryUndecided(): void {
    for (const request of this.#undecided) this.#ready.push(request);
    this.#undecided = [];
  }

  /** Carries out as many requests as fit. */
  takeInto(batch: OutputBatch): void {
    const { sources, backlog } = this.#options;
    this.#needsEmptyBatch = false;
    for (let remaining = perAppendMax; remaining > 0; remaining--) {
      const request = this.#ready.peek();
      if (request === undefined) return;
      const { offset, data } = request;
      if (isOfPending(request) && sources.get(data.sourceId) !== undefined) {
        if (!this.#cancel(request, batch)) return;
        this.#ready.shift();
        backlog.requestDone(offset);
        continue;
      }
      const state = this.#stateOf(request);
      const isUndecided = state === undefined && !sources.isCaughtUp(offset);
      if (!isUndecided && !batch.delete(request, state)) return;
      this.#ready.shift();
      if (isUndecided) this.#undecided.push(request);
      else backlog.requestDone(offset);
    }
  }

  /** Cancels emits that wait for their time, in one append. False: not possible yet. */
  #cancel(request: Request, batch: OutputBatch): boolean {
    const { pending, states } = this.#options;
    const { sourceId, startId, endId } = request.data;
    if (!pending.isConfirmed(sourceId)) return false;
    const range: IdRange = { ...bound('from', startId), ...bound('to', endId) };
    const state = states.of({ key: sourceId, workspace: request.workspace });
    this.#needsEmptyBatch = !batch.fitsCancelled(pending.count(sourceId, range), state);
    if (this.#needsEmptyBatch) return false;
    batch.cancel(request, state, pending.cancel(sourceId, range, batch.now));
    return true;
  }

  /** Finds out which sources are gone, if a request waits for that. */
  resolveUndecided(): void {
    if (this.#undecided.length > 0) this.#options.sources.catchUp();
  }

  /** Undefined: the source is gone, or not known yet. */
  #stateOf({ data: { sourceId }, workspace }: Request): SourceState | undefined {
    const { states, sources } = this.#options;
    const isKnown = sources.get(sourceId) !== undefined;
    const state = isKnown || states.has(sourceId) ? states.of({ key: sourceId, workspace }) : undefined;
    // A source that is gone can have a fresh state, which knows nothing about the source's events.
    return isKnown || state?.memory.nextSeq !== 0 ? state : undefined;
  }
}

const isOfPending = ({ data }: Request): boolean => data.channel === pendingChannel;

/** One end of a range. `id`: `<ms>-<number>`; null: no bound. */
function bound(end: keyof IdRange, id: string | null): IdRange {
  if (id === null) return {};
  const [at = 0, number = 0] = id.split('-').map(Number);
  return { [end]: { at, number } };
}
