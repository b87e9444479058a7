// Sorts a page of the log: what can be used, what is malformed, and where something newer than this program stands.
import type { StoredRecord } from '../../../domain/message.ts';
import { verdictOn } from '../../../domain/shape/verdict.ts';
import type { Page } from '../../../log/log.ts';
import { NewerRecordError } from './unusable.ts';
import type { CheckedPage, MalformedRecord } from './unusable.ts';

export interface Checked {
  /** Ends before the first newer record. */
  readonly page: CheckedPage;
  readonly newer: NewerRecordError | undefined;
}

const none: readonly MalformedRecord[] = [];

export function checkPage(page: Page): Checked {
  const { topic, partition, records } = page;
  const verdicts = records.map((record) => verdictOn(topic, record));
  if (verdicts.every((verdict) => verdict === undefined))
    return { page: { ...page, malformed: none }, newer: undefined };
  const usable: StoredRecord[] = [];
  const malformed: MalformedRecord[] = [];
  for (const [i, record] of records.entries()) {
    const verdict = verdicts[i];
    const { offset } = record;
    if (verdict === undefined) usable.push(record);
    else if (verdict.kind === 'malformed')
      malformed.push({ topic, partition, offset, problem: verdict.problem, record });
    else {
      const newer = new NewerRecordError(topic, partition, verdict.version);
      return { page: { ...page, records: usable, malformed, next: offset }, newer };
    }
  }
  return { page: { ...page, records: usable, malformed }, newer: undefined };
}
