// Types for records that a stage cannot use: the description of a malformed one, and the error for one that is too new.
import type { TopicName } from '../../../domain/flow.ts';
import type { StoredRecord } from '../../../domain/message.ts';
import type { RecordOn } from '../../../domain/messages-of.ts';
import { knownVersion } from '../../../domain/record/check-record.ts';
import type { Page } from '../../../log/log.ts';

/** A record that the stage skips; it reports this to a caller that waits for the record's outcome. */
export interface MalformedRecord {
  readonly topic: TopicName;
  readonly partition: number;
  readonly offset: number;
  /** Names fields, never a value. */
  readonly problem: string;
  /** As it is on the log: none of its fields can be trusted to match its type. */
  readonly record: Readonly<Partial<Record<keyof StoredRecord, unknown>>>;
}

/** `records` match their types. Each list is in the order of offsets; merged they are the whole page. */
export interface CheckedPage<T extends TopicName = TopicName> extends Page {
  readonly topic: T;
  readonly records: readonly RecordOn<T>[];
  readonly malformed: readonly MalformedRecord[];
}

type CheckedPageOnEach = { [T in TopicName]: CheckedPage<T> };

/** A page of one of the topics. */
export type CheckedPageOn<T extends TopicName = TopicName> = CheckedPageOnEach[T];

/**
 * The log holds something that only people can repair, and that a stage must neither guess nor skip: the stage stops,
 * health says why, and all other stages continue.
 */
export class StandstillError extends Error {}

/** The log was written by a newer program: this one must neither guess what a record means nor skip it. */
export class NewerRecordError extends StandstillError {
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

/** Receives the records that stages do not receive; must not throw. */
export interface TroubleReporter {
  reportMalformed(record: MalformedRecord): void;
  reportNewer(error: NewerRecordError): void;
}
