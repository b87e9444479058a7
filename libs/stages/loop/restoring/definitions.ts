// Reads one partition of definitions, after lifecycle has written all of them there.
import type { TopicName } from '../../../domain/flow.ts';
import type { RecordOn } from '../../../domain/messages-of.ts';
import { PortError } from '../../../domain/port-error.ts';
import type { CheckedLog } from '../reading/checked-log.ts';
import type { MalformedRecord } from '../reading/unusable.ts';

export type DefinitionTopic = Extract<TopicName, 'sources' | 'webhooks' | 'subscriptions'>;

/** Definitions are small: a page is processed within one turn of the event loop. */
const pageBounds = { recordsMax: 1_000, bytesMax: 1024 * 1024 };
/** The wait between reads: on a new log lifecycle writes its closing records within a moment of its start. */
const pollMs = 20;
/** After this the stage recovers and tries again; health turns red if that lasts. */
const waitMaxMs = 2_000;

/** Names a partition of definitions. */
export interface DefinitionPartition<T extends DefinitionTopic> {
  readonly topic: T;
  readonly partition: number;
}

export interface DefinitionHandlers<T extends DefinitionTopic> {
  readonly take: (record: RecordOn<T>) => void;
  /** Called with each malformed record, before `take` gets the others of its page. */
  readonly pass?: (malformed: MalformedRecord) => void;
}

/** Whether a record has no data: it deletes the value of its key, whatever its type says. */
export const erasesKey = ({ data }: { readonly data: unknown }): boolean => data === null || data === undefined;

/** `erasesKey` that narrows records of one topic: narrowing the records of all topics takes the compiler a minute. */
export const isTombstone = <R extends { readonly data: unknown }>(
  record: R,
): record is Extract<R, { readonly data: null | undefined }> => erasesKey(record);

/**
 * Passes every usable definition and tombstone on in order, and returns the next offset to read. Throws PortError
 * `unavailable` when lifecycle has not written all of them yet.
 */
export async function readDefinitions<T extends DefinitionTopic>(
  log: Pick<CheckedLog, 'read'>,
  { topic, partition }: DefinitionPartition<T>,
  { take, pass }: DefinitionHandlers<T>,
): Promise<number> {
  const deadline = performance.now() + waitMaxMs;
  let isFolded = false;
  for (let next = 0; ;) {
    const page = await log.read(topic, partition, next, pageBounds);
    for (const one of page.malformed) pass?.(one);
    for (const record of page.records) {
      if (record.type !== 'DefinitionsFolded') take(record);
      else if (!isTombstone(record)) isFolded = true;
    }
    const atEnd = page.next <= next;
    next = page.next;
    if (atEnd && isFolded) return next;
    if (atEnd && performance.now() > deadline)
      throw new PortError('unavailable', `lifecycle has not written down yet what is on ${topic}/${partition}`);
    if (atEnd) await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
}
