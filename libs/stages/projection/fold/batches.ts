// Groups pages for writing, so that several share a commit.
import type { Page } from '../../../log/index.ts';

/** The most records per batch: enough to share a commit, few enough that a rebuild waits briefly for a batch to end. */
const recordsPerBatch = 500;

/** Groups pages, in their order. */
export function batchesOf<P extends Page>(pages: readonly P[]): P[][] {
  const all: P[][] = [];
  let last: P[] = [];
  let records = 0;
  for (const page of pages) {
    records += page.records.length;
    if (last.length === 0 || records > recordsPerBatch) {
      all.push((last = []));
      records = page.records.length;
    }
    last.push(page);
  }
  return all;
}
