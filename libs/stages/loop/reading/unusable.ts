// Records that a stage cannot use: what is known of one that is malformed, and the error that says one is too new.
import type { TopicName } from '../../../domain/flow.ts';
import type { StoredRecord } from '../../../domain/message.ts';
import type { RecordOn } from '../../../domain/messages-of.ts';
import { knownVersion } from '../../../domain/shape/verdict.ts';
import type { Page } from '../../../log/log.ts';

/** It is passed over; who waits for what would come of it is told. */
export interface MalformedRecord {
  readonly topic: TopicName;
  readonly partition: number;
  readonly offset: number;
  /** Names fields and never a value. */
  readonly problem: string;
  /** As it stands there: nothing of it is what its type says. */
  readonly record: Readonly<Partial<Record<keyof StoredRecord, unknown>>>;
}

/** `records` can be used as what their types say; the two lists together are in the order of offsets. */
export interface CheckedPage<T extends TopicName = TopicName> extends Page {
  readonly topic: T;
  readonly records: readonly RecordOn<T>[];
  readonly malformed: readonly MalformedRecord[];
}

type CheckedPageOnEach = { [T in TopicName]: CheckedPage<T> };

/** A page of one of the topics. */
export type CheckedPageOn<T extends TopicName = TopicName> = CheckedPageOnEach[T];

/** The log was written by a newer program: nothing is guessed and nothing is passed over. */
export class NewerRecordError extends Error {
  readonly topic: TopicName;
  readonly partition: number;

  constructor(topic: TopicName, partition: number, version: number) {
    super(
      `${topic} holds records of version ${version}; this program knows version ${knownVersion}: start the newer program`,
    );
    this.name = 'NewerRecordError';
    this.topic = topic;
    this.partition = partition;
  }
}

/** Told of what stages are not given; must not throw. */
export interface ReadingTrouble {
  malformed(record: MalformedRecord): void;
  newer(error: NewerRecordError): void;
}
