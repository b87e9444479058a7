// Decides which sources' runs are reported on `$logs`: by `subscriptions`, and earlier by requests on `triggers`
// (decision 0037).
import { setTimeout as delay } from 'node:timers/promises';
import type { LogsRequest } from '../../../domain/channel/messages.ts';
import type { RecordOn } from '../../../domain/messages-of.ts';
import { PortError } from '../../../domain/port-error.ts';
import { NewerRecordError } from '../../loop/reading/unusable.ts';
import type { TaskContext } from '../../loop/stage.ts';
import { emitterKeyOf } from './subscribers.ts';
import type { LogsSubscribers } from './subscribers.ts';

/** The wait between attempts while the log does not answer. */
const retryMs = 200;

/** The key for every source, used after a start: no source and no workspace has this id. */
const everySource = '';

/**
 * A request that counts until `subscriptions` was read up to `end`, which is above its subscription. Undefined: `end`
 * is not known yet.
 */
interface PendingRequest {
  end: number | undefined;
}

export interface LogsReportingOptions {
  readonly context: Pick<TaskContext, 'log' | 'partition' | 'tolerate' | 'fail'>;
  readonly subscribers: LogsSubscribers;
  /** The offset up to which `subscriptions` was read. */
  readonly from: number;
}

export class LogsReporting {
  readonly #options: LogsReportingOptions;
  /** Requests by source or workspace; bounded by those that arrive during one read. */
  readonly #pending = new Map<string, PendingRequest>();
  #next: number;
  #isResolving = false;
  #stopped = false;

  constructor(options: LogsReportingOptions) {
    this.#options = options;
    this.#next = options.from;
    // The mark might be past a request whose subscription is not visible yet: a superfluous event is better than none.
    this.#addPending(everySource);
  }

  isReported(sourceId: string, workspace: string): boolean {
    const isPending = (key: string): boolean => this.#pending.has(key);
    return this.#options.subscribers.has(sourceId, workspace) || [sourceId, workspace, everySource].some(isPending);
  }

  apply(records: readonly RecordOn<'subscriptions'>[], next: number): void {
    const { context, subscribers } = this.#options;
    for (const record of records) context.tolerate(record, () => subscribers.accept(record));
    this.markRead(next);
  }

  /** Call when `subscriptions` was read up to `next`. */
  markRead(next: number): void {
    this.#next = Math.max(next, this.#next);
    this.#dropResolved();
  }

  /** Runs of triggers after the request are reported, even if its subscription is read later or was deleted. */
  addRequest({ workspace, data }: LogsRequest): void {
    this.#addPending(emitterKeyOf(data.emitterId, workspace));
  }

  stop(): void {
    this.#stopped = true;
  }

  #addPending(key: string): void {
    this.#pending.set(key, { end: undefined });
    if (!this.#isResolving) void this.#resolveEnds();
  }

  /** Finds an offset above all awaited subscriptions; one read at a time. */
  async #resolveEnds(): Promise<void> {
    const { log, partition, fail } = this.#options.context;
    this.#isResolving = true;
    for (
      let unresolved = this.#unresolved();
      unresolved.length > 0 && !this.#stopped;
      unresolved = this.#unresolved()
    ) {
      try {
        const to = await log.settledEnd('subscriptions', partition);
        const unread = await log.read('subscriptions', partition, this.#next, { recordsMax: 1, bytesMax: 1, to });
        const hasReadAll = unread.records.length === 0 && unread.malformed.length === 0;
        for (const one of unresolved) one.end = hasReadAll ? this.#next : to;
        this.#dropResolved();
      } catch (error) {
        if (!isRetryable(error)) return this.#stopped ? undefined : fail(error as Error);
        await delay(retryMs, undefined, { ref: false });
      }
    }
    this.#isResolving = false;
  }

  #unresolved(): readonly PendingRequest[] {
    return [...this.#pending.values()].filter(({ end }) => end === undefined);
  }

  #dropResolved(): void {
    for (const [key, { end }] of this.#pending) if (end !== undefined && end <= this.#next) this.#pending.delete(key);
  }
}

const isRetryable = (error: unknown): boolean =>
  error instanceof NewerRecordError || (error instanceof PortError && error.retryable);
