// Keeps the requests that wait for the outcome of their command; each resolves when its outcome arrives on the tail.
import type { AwaitedTopic, FollowedTopic } from '../../../../domain/flow.ts';
import { PortError } from '../../../../domain/port-error.ts';
import type { RecordOn } from '../../../../domain/messages-of.ts';
import type { Page } from '../../../../log/log.ts';
import type { Follower } from '../control-tail.ts';

/** A record that can be a command's outcome. */
export type OutcomeRecord = RecordOn<AwaitedTopic | 'workspaces'>;
export type OutcomeOf<Type extends OutcomeRecord['type']> = Extract<OutcomeRecord, { readonly type: Type }>;

export interface Outcome {
  readonly record: OutcomeRecord;
  /** The offset of the last record of the same request, which the views must have passed. */
  readonly lastOffset: number;
}

export interface OutcomeWait {
  /** Undefined: the wait was ended before. */
  readonly outcome: Promise<Outcome | undefined>;
  /** Whether the process that the outcome will end has begun. */
  hasBegun(): boolean;
  /** Must be called once nobody waits any more; further calls do nothing. */
  end(): void;
}

interface Waiter {
  readonly endings: ReadonlySet<string>;
  readonly beginning: string | undefined;
  readonly resolve: (outcome: Outcome | undefined) => void;
  readonly reject: (reason: Error) => void;
  begun: boolean;
  ended: OutcomeRecord | undefined;
  lastOffset: number;
}

/** Record types: those that can end a command, and the one that reports that its process has begun. */
export interface Endings<Type extends OutcomeRecord['type'] = OutcomeRecord['type']> {
  readonly endings: readonly Type[];
  readonly beginning?: OutcomeRecord['type'];
  /**
   * Present if packages might have to be installed first, so that the wait is longer; makes the error for when even
   * that is over.
   */
  readonly installing?: () => Error;
}

export class Outcomes implements Follower {
  readonly #waiters = new Map<string, Waiter>();
  readonly #touchedIds = new Set<string>();

  /** Must be called before the command is sent. */
  wait(correlationId: string, { endings, beginning }: Endings): OutcomeWait {
    const { promise, resolve, reject } = Promise.withResolvers<Outcome | undefined>();
    promise.catch(() => {});
    const waiter: Waiter = {
      endings: new Set(endings),
      beginning,
      resolve,
      reject,
      begun: false,
      ended: undefined,
      lastOffset: -1,
    };
    this.#waiters.set(correlationId, waiter);
    return {
      outcome: promise,
      hasBegun: () => waiter.begun,
      end: () => {
        this.#waiters.delete(correlationId);
        resolve(undefined);
      },
    };
  }

  accept(record: RecordOn<FollowedTopic>): void {
    const waiter = this.#waiters.get(record.correlationId);
    if (waiter === undefined) return;
    this.#touchedIds.add(record.correlationId);
    waiter.lastOffset = record.offset;
    if (record.type === waiter.beginning) waiter.begun = true;
    if (isEnding(record, waiter)) waiter.ended ??= record;
  }

  /** Resolves only at the end of a page: a delete's outcome is followed by the deletes that it cascades to. */
  pageRead(_page: Page): void {
    for (const correlationId of this.#touchedIds) {
      const waiter = this.#waiters.get(correlationId);
      if (waiter?.ended === undefined) continue;
      waiter.resolve({ record: waiter.ended, lastOffset: waiter.lastOffset });
      this.#waiters.delete(correlationId);
    }
    this.#touchedIds.clear();
  }

  /** Ends all waits when the gateway stops. */
  close(): void {
    for (const waiter of this.#waiters.values()) waiter.reject(new PortError('closed', 'The gateway stops.'));
    this.#waiters.clear();
  }
}

/** No other topic has messages of these types. */
const isEnding = (record: RecordOn<FollowedTopic>, { endings }: Waiter): record is OutcomeRecord =>
  endings.has(record.type);
