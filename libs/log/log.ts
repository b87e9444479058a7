// The log port: topics that consist of partitions of records, writers with marks, reads of ranges, and tails.
import type { FormResponse } from '../domain/call/form.ts';
import type { TestAttempt, TestRefusal } from '../domain/delivery/attempt/webhook-test.ts';
import type { TransformOutcome } from '../domain/delivery/transform/transform.ts';
import type { Mark, Positions } from '../domain/mark/messages.ts';
import type { LogRecord, StoredRecord } from '../domain/message.ts';
import type { MessageOn } from '../domain/messages-of.ts';
import type { Sealed } from '../domain/secrets/sealed.ts';
import type { OwningStage, ExpiringTopic, RequestTopic, TopicName } from '../domain/flow.ts';

/**
 * A record with its topic and partition. On a compacted topic a record without data (undefined) is a tombstone: it
 * removes the earlier records of its key; readers might see the tombstone itself for a while, or never. The partition
 * is `partitionOf(emitterId, log.partitions)` on partitioned topics, otherwise 0.
 */
export interface Outgoing<T extends TopicName = TopicName, R extends LogRecord = LogRecord> {
  readonly topic: T;
  readonly partition: number;
  readonly record: R;
  /**
   * The record holds only JSON values and is not changed any more. So an append can encode it later, and readers in the
   * same process can get its data itself instead of a copy.
   */
  readonly isFinal?: boolean;
}

type OutgoingOnEach = { [T in TopicName]: Outgoing<T, MessageOn<T>> };

/** An Outgoing typed for stages: each topic accepts only its own messages. The log itself never checks them. */
export type OutgoingOn<T extends TopicName = TopicName> = OutgoingOnEach[T];

/** One partition of one topic and the next offset to read there. Offsets have gaps: never count records by them. */
export interface Position<T extends TopicName = TopicName> {
  readonly topic: T;
  readonly partition: number;
  readonly offset: number;
}

export type { Mark, Positions };

export const positionKey = (topic: TopicName, partition: number): string => `${topic}/${partition}`;

/** Consecutive records of one partition; `next`, above the last record's offset, is the offset to read from next. */
export interface Page {
  readonly topic: TopicName;
  readonly partition: number;
  readonly records: readonly StoredRecord[];
  readonly next: number;
  /** Set on a page of a tail if its bounds ended it while further records already existed. */
  readonly more?: true;
}

/** Bounds of one page. The first bound that is reached ends it, but it holds at least one record if there is one. */
export interface PageBounds {
  readonly recordsMax: number;
  readonly bytesMax: number;
  /** Exclusive end offset. */
  readonly to?: number;
}

/** A stage's only way to append: one writer for each stage and owned partition. A newer owner fences the older one. */
export abstract class Writer {
  abstract readonly stage: OwningStage;
  abstract readonly partition: number;
  /** The last mark known to be on the log; its positions are empty at the very first start of the stage. */
  abstract readonly mark: Mark;

  /**
   * Appends all records and the mark with these positions, or nothing. Resolves once durable, with each record's
   * offset. Calls are carried out in order; after a failed call every later one fails until `recover()`. Throws
   * PortError: `fenced` (give up), `too_large` (nothing written), `unknown_outcome` or `unavailable` (recover). Throws
   * a plain Error for a topic that flow.ts does not let this stage write.
   */
  abstract append(records: readonly Outgoing[], positions: Positions): Promise<readonly number[]>;

  /**
   * Encodes final records for a later append, which then need not encode them, and returns them in that form. It works
   * in short turns of the event loop with rests between them, so appends continue. Throws PortError `too_large`.
   */
  abstract encodeAhead<T extends Outgoing>(records: readonly T[]): Promise<readonly T[]>;

  /** Settles unfinished appends and reads the mark again; throws PortError `fenced` if there is a newer owner. */
  abstract recover(): Promise<Mark>;

  /** Ends the ownership once appends in flight have finished. Later appends are rejected. */
  abstract release(): Promise<void>;
}

/** Follows partitions: each call returns the records since the last call, in offset order within each partition. */
export abstract class Tail {
  /** Waits up to `waitMs` for records; returns an empty list if none arrive. One call at a time. */
  abstract next(waitMs: number): Promise<readonly Page[]>;
  /** Stops reading one partition until `resume`; its position is kept. */
  abstract pause(topic: TopicName, partition: number): void;
  abstract resume(topic: TopicName, partition: number): void;
  /** A pending call of `next` resolves with an empty list. */
  abstract close(): Promise<void>;
}

/** A transient answer to the process that waits for it, usually a gateway instance; it is lost if none waits. */
export type Reply =
  | {
      readonly type: 'HttpResponded';
      /** Identifies the request that waits. */
      readonly correlationId: string;
      readonly status: number;
      readonly headers: Readonly<Record<string, string | readonly string[]>>;
      readonly bodyBase64: string;
    }
  | {
      readonly type: 'RunEnded';
      readonly correlationId: string;
      readonly failed: boolean;
      /** The run never began, because its source was deleted or its deploy refused; then `failed` is true. */
      readonly gone?: true;
      /** The value, for calls that answer with one. */
      readonly answer?: FormResponse;
    }
  /** Runtime has read these triggers, and none of them has ended. */
  | { readonly type: 'TriggersTaken'; readonly correlationIds: readonly string[] }
  | {
      readonly type: 'EventsPublished';
      readonly correlationId: string;
      /** The ids of the events, in the order of the request. */
      readonly ids: readonly string[];
      /** Indexes, in the request, of events that had been published before. */
      readonly duplicates: readonly number[];
    }
  /**
   * The answer of a data store. `requestId`: the id of the record that asked. `answer`: a sealed StoreAnswer, or null
   * if the workspace no longer has a data key.
   */
  | { readonly type: 'DataStoreAnswered'; readonly requestId: string; readonly answer: Sealed | null }
  /** The event was not published, because its source was deleted. */
  | { readonly type: 'PublishRefused'; readonly correlationId: string }
  /** The partition applies a new filter to what is emitted from now on; `correlationId`: of the request that set it. */
  | { readonly type: 'FilterTaken'; readonly correlationId: string; readonly partition: number }
  /** The result of a test of a webhook: the attempt, or the reason why there was none. */
  | {
      readonly type: 'WebhookTested';
      readonly correlationId: string;
      readonly attempt: TestAttempt | null;
      readonly refused: TestRefusal | null;
    }
  /** The outcome of a trial of a transform; `compiled`: it was only compiled. */
  | {
      readonly type: 'TransformTried';
      readonly correlationId: string;
      readonly outcome: TransformOutcome | { readonly kind: 'compiled' };
    }
  /** One partition's events need no filter of earlier versions than `neededFrom`, and none at all below `offset`. */
  | {
      readonly type: 'FiltersNeeded';
      readonly correlationId: string;
      readonly neededFrom: number;
      readonly offset: number;
    }
  | { readonly type: 'SourceFull' | 'SourceFree'; readonly sourceId: string };

/** The address of every gateway instance. */
export const everyGateway = '*';

export abstract class Log {
  /** The number of partitions of every partitioned topic, fixed when the log was created. */
  abstract readonly partitions: number;

  /** Takes a partition over: fences its owner, appends a higher generation, and returns a writer with the last mark. */
  abstract own(stage: OwningStage, partition: number): Promise<Writer>;

  /**
   * Appends to a request topic, without a mark. Resolves once durable, with the record's offset. Calls for one
   * partition are carried out in order. Throws PortError `too_large` (nothing was written), `unavailable` or
   * `unknown_outcome`.
   */
  abstract request(request: OutgoingOn<RequestTopic>): Promise<number>;

  /** Reads one page of committed records from offset `from` on; empty at the end. Compaction can have removed some. */
  abstract read(topic: TopicName, partition: number, from: number, bounds: PageBounds): Promise<Page>;

  /** Follows partitions from the given offsets; `bounds` hold for each page. */
  abstract tail(from: readonly Position[], bounds: PageBounds): Tail;

  /** Returns the offset above every record that can be read now: the last stable offset. */
  abstract end(topic: TopicName, partition: number): Promise<number>;

  /**
   * Waits until every append that was under way at the call has settled, then returns the end. If any record of an
   * append could be read at the call, on any partition, all of the append's records here are below the end. Throws
   * PortError `unavailable` if the wait takes too long.
   */
  abstract settledEnd(topic: TopicName, partition: number): Promise<number>;

  /**
   * Removes all records below an offset permanently, at most up to the end. Once it resolves, no read or tail starts
   * below that offset; the space is freed in the background. A lower offset than that of an earlier call restores
   * nothing, and the end does not move. A reader positioned below it continues at the first record left. Throws
   * PortError `unavailable` or `unknown_outcome`: call it again.
   */
  abstract trim(topic: ExpiringTopic, partition: number, below: number): Promise<void>;

  /** Sends to one gateway instance, or to `everyGateway`. Never throws, never waits. */
  abstract reply(gateway: string, reply: Reply): void;

  /** Receives the replies to this gateway instance until the returned function is called. */
  abstract onReply(gateway: string, receive: (reply: Reply) => void): () => void;

  /** Resolves once work in flight has finished; every later call throws PortError `closed`. */
  abstract close(): Promise<void>;
}
