// The log port: topics of partitions of records, owned writers with marks, range reads and tails.
import type { FormAnswer } from '../domain/call/form.ts';
import type { TestAttempt, TestRefused } from '../domain/delivery/attempt/tested.ts';
import type { Transformed } from '../domain/delivery/transform/transform.ts';
import type { Mark, Positions } from '../domain/mark/messages.ts';
import type { LogRecord, StoredRecord } from '../domain/message.ts';
import type { MessageOn } from '../domain/messages-of.ts';
import type { Sealed } from '../domain/secrets/sealed.ts';
import type { OwningStage, PassingTopic, RequestTopic, TopicName } from '../domain/flow.ts';

/**
 * A record and where it goes. On a compacted topic a record without data (undefined) is a tombstone: it removes the
 * earlier records of its key. Readers may see the tombstone itself for a while, or never.
 * Partitioned topics: `partitionOf(emitterId, log.partitions)`; others: 0.
 */
export interface Outgoing<T extends TopicName = TopicName, R extends LogRecord = LogRecord> {
  readonly topic: T;
  readonly partition: number;
  readonly record: R;
  /**
   * The record holds only what JSON can hold, and nobody changes it any more. So an append may encode it later, and
   * readers in the same process may get its data itself instead of a copy.
   */
  readonly isFinal?: boolean;
}

type OutgoingOnEach = { [T in TopicName]: Outgoing<T, MessageOn<T>> };

/** The same, typed for stages: each topic takes only its own messages. The log itself never looks into them. */
export type OutgoingOn<T extends TopicName = TopicName> = OutgoingOnEach[T];

/** One partition of one topic and the next offset to read there. Offsets have gaps: never count records by them. */
export interface Position<T extends TopicName = TopicName> {
  readonly topic: T;
  readonly partition: number;
  readonly offset: number;
}

export type { Mark, Positions };

export const positionKey = (topic: TopicName, partition: number): string => `${topic}/${partition}`;

/** Consecutive records of one partition; `next` is the offset to read from next (above the last record's offset). */
export interface Page {
  readonly topic: TopicName;
  readonly partition: number;
  readonly records: readonly StoredRecord[];
  readonly next: number;
  /** Of a tail's page: its bounds ended it, and more was there already when it was read. */
  readonly more?: true;
}

/** Bounds of one page. The first bound that is reached ends it, but it holds at least one record if there is one. */
export interface PageBounds {
  readonly recordsMax: number;
  readonly bytesMax: number;
  /** Exclusive end offset. */
  readonly to?: number;
}

/** The only way for a stage to append: one for each stage and owned partition. A newer owner fences the older one. */
export abstract class Writer {
  abstract readonly stage: OwningStage;
  abstract readonly partition: number;
  /** The last mark known to be on the log; its positions are empty at the very first start. */
  abstract readonly mark: Mark;

  /**
   * Appends all records and the mark with these positions, or nothing. Resolves once durable, with each record's
   * offset.
   * Calls are carried out in order; after a failed call every later one fails until `recover()`.
   * Throws PortError: `fenced` (give up), `too_large` (nothing written), `unknown_outcome` or `unavailable` (recover).
   * Throws a plain Error for a topic that flow.ts does not let this stage write.
   */
  abstract append(records: readonly Outgoing[], positions: Positions): Promise<readonly number[]>;

  /**
   * Encodes final records for a later append, which then takes them at once; gives them in that form. Meanwhile appends go on.
   * Takes short turns of the event loop, with rests between them. Throws PortError `too_large`.
   */
  abstract encodeAhead<T extends Outgoing>(records: readonly T[]): Promise<readonly T[]>;

  /** Settles open appends and reads the mark back; throws PortError `fenced` when a newer owner has taken over. */
  abstract recover(): Promise<Mark>;

  /** Ends the ownership once appends in flight have finished. Later appends are refused. */
  abstract release(): Promise<void>;
}

/** Follows partitions: each call gives the records since the last call, in offset order within each partition. */
export abstract class Tail {
  /** Waits up to `waitMs` for records; gives an empty list when none come. One call at a time. */
  abstract next(waitMs: number): Promise<readonly Page[]>;
  /** Stops reading one partition until `resume`; its position is kept. */
  abstract pause(topic: TopicName, partition: number): void;
  abstract resume(topic: TopicName, partition: number): void;
  /** A pending `next` resolves with an empty list. */
  abstract close(): Promise<void>;
}

/** A transient answer to the process that waits for it, most often a gateway instance; lost when none waits. */
export type Reply =
  | {
      readonly type: 'HttpResponded';
      /** The waiting request. */
      readonly correlationId: string;
      readonly status: number;
      readonly headers: Readonly<Record<string, string | readonly string[]>>;
      readonly bodyBase64: string;
    }
  | {
      readonly type: 'RunEnded';
      readonly correlationId: string;
      readonly failed: boolean;
      /** It never began: its source was deleted, or its deploy refused. Then `failed` is true. */
      readonly gone?: true;
      /** Of a call that answers with a value. */
      readonly answer?: FormAnswer;
    }
  /** Runtime has read these triggers, of which none has ended. */
  | { readonly type: 'TriggersTaken'; readonly correlationIds: readonly string[] }
  | {
      readonly type: 'EventsPublished';
      readonly correlationId: string;
      /** Of the events, in the order of the request. */
      readonly ids: readonly string[];
      /** Places in the request of those that had been published before. */
      readonly duplicates: readonly number[];
    }
  /**
   * What a data store answers. `requestId`: the id of the record that asked; `answer`: a StoreAnswer, sealed; null: the
   * workspace has no data key any more.
   */
  | { readonly type: 'DataStoreAnswered'; readonly requestId: string; readonly answer: Sealed | null }
  /** The source is gone. */
  | { readonly type: 'PublishRefused'; readonly correlationId: string }
  /**
   * The partition has applied a new filter to what is emitted from now on; `correlationId`: of the request that set it.
   */
  | { readonly type: 'FilterTaken'; readonly correlationId: string; readonly partition: number }
  /** What came of a test of a webhook; without an attempt, why there was none. */
  | {
      readonly type: 'WebhookTested';
      readonly correlationId: string;
      readonly attempt: TestAttempt | null;
      readonly refused: TestRefused | null;
    }
  /** What came of the trial of a transform; `compiled`: it was only compiled. */
  | {
      readonly type: 'TransformTried';
      readonly correlationId: string;
      readonly outcome: Transformed | { readonly kind: 'compiled' };
    }
  /** Events of one partition need no filter of the subscription from before this version, and none of those below the offset. */
  | {
      readonly type: 'FiltersNeeded';
      readonly correlationId: string;
      readonly neededFrom: number;
      readonly offset: number;
    }
  | { readonly type: 'SourceFull' | 'SourceFree'; readonly sourceId: string };

/** Goes to every gateway instance. */
export const everyGateway = '*';

export abstract class Log {
  /** The common partition count of partitioned topics, fixed when the log was created. */
  abstract readonly partitions: number;

  /** Takes a partition over: fences its owner, appends a higher generation, and gives the writer with the last mark. */
  abstract own(stage: OwningStage, partition: number): Promise<Writer>;

  /**
   * Appends to a request topic, without a mark. Resolves once durable, with the record's offset. Calls for one
   * partition are carried out in order. Throws PortError `too_large` (nothing was written), `unavailable` or
   * `unknown_outcome`.
   */
  abstract request(request: OutgoingOn<RequestTopic>): Promise<number>;

  /** One page of committed records from offset `from` on; empty at the end. Compaction may have removed records. */
  abstract read(topic: TopicName, partition: number, from: number, bounds: PageBounds): Promise<Page>;

  /** Follows partitions from the given offsets; `bounds` hold for each page. */
  abstract tail(from: readonly Position[], bounds: PageBounds): Tail;

  /** The offset above every record that can be read now: the last stable offset. */
  abstract end(topic: TopicName, partition: number): Promise<number>;

  /**
   * Waits until every append that is under way at the call has settled, then gives the end. If any partition already
   * showed records of an append at the call, all records of that append here are below the end. Throws PortError
   * `unavailable` when the wait takes too long.
   */
  abstract settledEnd(topic: TopicName, partition: number): Promise<number>;

  /**
   * Removes all records below an offset for good, at most up to the end. Once it resolves no read or tail starts below
   * that offset; the space is freed in the background. A lower offset than an earlier call's brings nothing back, and
   * the end does not move. A reader positioned below it continues at the first record left. Throws PortError
   * `unavailable` or `unknown_outcome`: call it again.
   */
  abstract trim(topic: PassingTopic, partition: number, below: number): Promise<void>;

  /** Sends to one gateway instance, or to `everyGateway`. Never throws, never waits. */
  abstract reply(gateway: string, reply: Reply): void;

  /** Receives the replies to this gateway instance until the returned function is called. */
  abstract onReply(gateway: string, receive: (reply: Reply) => void): () => void;

  /** Ends once work in flight has finished; every later call throws PortError `closed`. */
  abstract close(): Promise<void>;
}
