// Sorts a page of the log into usable and malformed records, and finds the first record newer than this program.
import type { StoredRecord } from '../../../domain/message.ts';
import { checkRecord } from '../../../domain/record/check-record.ts';
import type { Page } from '../../../log/log.ts';
import { NewerRecordError } from './unusable.ts';
import type { CheckedPage, MalformedRecord } from './unusable.ts';

export interface CheckResult<P extends CheckedPage> {
  /** The usable records before the first newer one. */
  readonly page: P;
  readonly newer: NewerRecordError | undefined;
}

const noMalformed: readonly MalformedRecord[] = [];

/** `P`: the type of page for the topics that it was read from. */
export function checkPage<P extends CheckedPage>(page: Page): CheckResult<P> {
  const { topic, partition, records } = page;
  const verdicts = records.map((record) => checkRecord(topic, record));
  if (verdicts.every((verdict) => verdict === undefined))
    return { page: usablePage(page, noMalformed), newer: undefined };
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
      return { page: usablePage({ ...page, records: usable, next: offset }, malformed), newer };
    }
  }
  return { page: usablePage({ ...page, records: usable }, malformed), newer: undefined };
}

/** The only cast of records to their types: `checkRecord` has checked each against its topic and type. */
const usablePage = <P extends CheckedPage>(page: Page, malformed: readonly MalformedRecord[]): P =>
  ({ ...page, malformed }) as P;
