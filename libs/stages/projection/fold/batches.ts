// Pages as they are written: some together, so that they share a commit.
import type { Page } from '../../../log/index.ts';

/** Pages are written together up to here: enough to share a commit, and a command's answer waits for no more. */
const recordsPerBatch = 500;

/** Pages in their order, some together: topics of the control plane come first, so their commands wait for one batch. */
export function batches<P extends Page>(pages: readonly P[]): P[][] {
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
