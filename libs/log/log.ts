// The log port: topics of partitions of records, owned writers with marks, range reads and tails.
import type { Mark, Positions } from '../domain/mark/messages.ts';
import type { LogRecord, StoredRecord } from '../domain/message.ts';
import type { MessageOn } from '../domain/messages-of.ts';
import type { OwningStage, PassingTopic, RequestTopic, TopicName } from '../domain/flow.ts';

/**
 * A record with the place it goes to. On a compacted topic one without data (undefined) is a tombstone: it takes away what
 * stands of its key, and is read for a while itself, or not at all.
 * Emitter topics: `partitionOf(emitterId, log.partitions)`; others: 0.
 */
export interface Outgoing<T extends TopicName = TopicName, R extends LogRecord = LogRecord> {
  readonly topic: T;
  readonly partition: number;
  readonly record: R;
  /**
   * It holds what JSON holds, and nobody changes it any more: an append may take its time over it, and readers in the same
   * process may be given its data itself instead of a copy.
   */
  readonly isFinal?: boolean;
}

type OutgoingOnEach = { [T in TopicName]: Outgoing<T, MessageOn<T>> };

/** As stages make it: what goes to a topic is a message of it. The log itself reads none of them. */
export type OutgoingOn<T extends TopicName = TopicName> = OutgoingOnEach[T];

/** One partition of one topic and the next offset to read there. Offsets have gaps: nothing may count by them. */
export interface Position<T extends TopicName = TopicName> {
  readonly topic: T;
  readonly partition: number;
  readonly offset: number;
}

export type { Mark, Positions };

export const positionKey = (topic: TopicName, partition: number): string => `${topic}/${partition}`;

/** Consecutive records of one partition; `next` is where reading goes on (above the last record's offset). */
export interface Page {
  readonly topic: TopicName;
  readonly partition: number;
  readonly records: readonly StoredRecord[];
  readonly next: number;
}

/** Bounds of one page. It ends at whichever is met first, but holds one record if there is one. */
export interface PageBounds {
  readonly recordsMax: number;
  readonly bytesMax: number;
  /** Exclusive end offset. */
  readonly to?: number;
}

/** The only way for a stage to append. One for each stage and owned partition; a newer owner fences the older. */
export abstract class Writer {
  abstract readonly stage: OwningStage;
  abstract readonly partition: number;
  /** The last mark known to stand on the log; empty positions at the very first start. */
  abstract readonly mark: Mark;

  /**
   * Appends all records and the mark with these positions, or nothing. Resolves once durable, with each record's offset.
   * Calls are carried out in order; after one fails every later one fails until `recover()`.
   * Throws PortError: `fenced` (give up), `too_large` (nothing was written), `unknown_outcome` or `unavailable` (recover).
   * Throws a plain Error for a topic that flow.ts does not let this stage write.
   */
  abstract append(records: readonly Outgoing[], positions: Positions): Promise<readonly number[]>;

  /** Settles what is open and reads the mark back; throws PortError `fenced` when a newer owner has taken over. */
  abstract recover(): Promise<Mark>;

  /** Ends the ownership after what is in flight. Appends afterwards are refused. */
  abstract release(): Promise<void>;
}

/** Follows partitions: each call gives what has come since, in offset order within each partition. */
export abstract class Tail {
  /** Waits up to `waitMs` for records; an empty list when none came. One call at a time. */
  abstract next(waitMs: number): Promise<readonly Page[]>;
  /** Stops reading one partition until `resume`; its position is kept. */
  abstract pause(topic: TopicName, partition: number): void;
  abstract resume(topic: TopicName, partition: number): void;
  /** A pending `next` resolves with an empty list. */
  abstract close(): Promise<void>;
}

/** A transient answer from runtime to the gateway instance that waits; lost when nobody does. */
export type Reply =
  | {
      readonly type: 'HttpResponded';
      /** The waiting request. */
      readonly correlationId: string;
      readonly status: number;
      readonly headers: Readonly<Record<string, string | readonly string[]>>;
      readonly bodyBase64: string;
    }
  | { readonly type: 'RunEnded'; readonly correlationId: string; readonly failed: boolean }
  | { readonly type: 'SourceFull' | 'SourceFree'; readonly sourceId: string };

/** Goes to every gateway instance. */
export const everyGateway = '*';

export abstract class Log {
  /** The common partition count of emitter topics, fixed when the log was created. */
  abstract readonly partitions: number;

  /** Takes a partition over: fences its owner, appends a higher generation, and gives the writer with the last mark. */
  abstract own(stage: OwningStage, partition: number): Promise<Writer>;

  /**
   * Appends to a request topic, without a mark. Resolves once durable, with the record's offset. Calls for one partition
   * are carried out in order. Throws PortError `too_large` (nothing was written), `unavailable` or `unknown_outcome`.
   */
  abstract request(request: OutgoingOn<RequestTopic>): Promise<number>;

  /** One page from `from` on, of records that are committed; empty at the end. Compacted records may be missing. */
  abstract read(topic: TopicName, partition: number, from: number, bounds: PageBounds): Promise<Page>;

  /** Follows partitions from the given offsets; `bounds` hold for each page. */
  abstract tail(from: readonly Position[], bounds: PageBounds): Tail;

  /** The offset above every record that can be read now: the last stable offset. */
  abstract end(topic: TopicName, partition: number): Promise<number>;

  /**
   * The end, once nothing is under way there any more that was when it was asked: what any partition has shown of an append
   * by then stands below it. Throws PortError `unavailable` when that takes too long.
   */
  abstract settledEnd(topic: TopicName, partition: number): Promise<number>;

  /**
   * Gives up for good what is below an offset, at most the end: once it resolves no read or tail begins below it, and the
   * space comes back in the background. What stands below an earlier call's stays away; the end does not move. A reader
   * that stood below goes on at the first record that is left. Throws PortError `unavailable` or `unknown_outcome`: call
   * it again.
   */
  abstract trim(topic: PassingTopic, partition: number, below: number): Promise<void>;

  /** Sends to one gateway instance, or to `everyGateway`. Never throws, never waits. */
  abstract reply(gateway: string, reply: Reply): void;

  /** Receives what is sent to this gateway instance until the returned function is called. */
  abstract onReply(gateway: string, receive: (reply: Reply) => void): () => void;

  /** Ends after what is in flight; everything afterwards throws PortError `closed`. */
  abstract close(): Promise<void>;
}
