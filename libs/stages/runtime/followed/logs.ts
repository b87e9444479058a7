// Decides which sources' runs are reported on `$logs`: by `subscriptions`, and earlier by requests on `triggers`
// (decision 0037).
import { setTimeout as delay } from 'node:timers/promises';
import type { LogsRequest } from '../../../domain/channel/messages.ts';
import type { RecordOn } from '../../../domain/messages-of.ts';
import { PortError } from '../../../domain/port-error.ts';
import { NewerRecordError } from '../../loop/reading/unusable.ts';
import type { TaskContext } from '../../loop/stage.ts';
import { sourceKey } from './subscribers.ts';
import type { Subscribers } from './subscribers.ts';

/** The wait between attempts while the log does not answer. */
const retryMs = 200;

/** The key for every source, used after a start: no source and no workspace has this id. */
const everySource = '';

/**
 * A request that counts until `subscriptions` was read up to `end`, which is above its subscription. Undefined: `end`
 * is not known yet.
 */
interface Awaited {
  end: number | undefined;
}

export interface LogsOptions {
  readonly context: Pick<TaskContext, 'log' | 'partition' | 'tolerate' | 'fail'>;
  readonly subscribers: Subscribers;
  /** The offset up to which `subscriptions` was read. */
  readonly from: number;
}

export class Logs {
  readonly #options: LogsOptions;
  /** Requests by source or workspace; bounded by those that arrive during one read. */
  readonly #awaited = new Map<string, Awaited>();
  #next: number;
  #isAsking = false;
  #stopped = false;

  constructor(options: LogsOptions) {
    this.#options = options;
    this.#next = options.from;
    // The mark might be past a request whose subscription is not visible yet: a superfluous event is better than none.
    this.#await(everySource);
  }

  isTold(sourceId: string, workspace: string): boolean {
    const isAwaited = (key: string): boolean => this.#awaited.has(key);
    return this.#options.subscribers.has(sourceId, workspace) || [sourceId, workspace, everySource].some(isAwaited);
  }

  take(records: readonly RecordOn<'subscriptions'>[], next: number): void {
    const { context, subscribers } = this.#options;
    for (const record of records) context.tolerate(record, () => subscribers.accept(record));
    this.readTo(next);
  }

  /** Call when `subscriptions` was read up to `next`. */
  readTo(next: number): void {
    this.#next = Math.max(next, this.#next);
    this.#release();
  }

  /** Runs of triggers after the request are reported, even if its subscription is read later or was deleted. */
  request({ workspace, data }: LogsRequest): void {
    this.#await(sourceKey(data.emitterId, workspace));
  }

  stop(): void {
    this.#stopped = true;
  }

  #await(key: string): void {
    this.#awaited.set(key, { end: undefined });
    if (!this.#isAsking) void this.#ask();
  }

  /** Finds an offset above all awaited subscriptions; one read at a time. */
  async #ask(): Promise<void> {
    const { log, partition, fail } = this.#options.context;
    this.#isAsking = true;
    for (let open = this.#open(); open.length > 0 && !this.#stopped; open = this.#open()) {
      try {
        const to = await log.settledEnd('subscriptions', partition);
        const left = await log.read('subscriptions', partition, this.#next, { recordsMax: 1, bytesMax: 1, to });
        const isRead = left.records.length === 0 && left.malformed.length === 0;
        for (const one of open) one.end = isRead ? this.#next : to;
        this.#release();
      } catch (error) {
        if (!mayPass(error)) return this.#stopped ? undefined : fail(error as Error);
        await delay(retryMs, undefined, { ref: false });
      }
    }
    this.#isAsking = false;
  }

  #open(): readonly Awaited[] {
    return [...this.#awaited.values()].filter(({ end }) => end === undefined);
  }

  #release(): void {
    for (const [key, { end }] of this.#awaited) if (end !== undefined && end <= this.#next) this.#awaited.delete(key);
  }
}

const mayPass = (error: unknown): boolean =>
  error instanceof NewerRecordError || (error instanceof PortError && error.retryable);
