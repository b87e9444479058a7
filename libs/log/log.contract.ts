// The contract suite of the log port: promises that the log of every engine and the fake keep.
import { describeAppends } from './contract/appends.contract.ts';
import { describeClosing } from './contract/closing.contract.ts';
import type { OpenDurableLog, OpenLog } from './contract/harness.ts';
import { describeKeeping } from './contract/keeping.contract.ts';
import { describeOwnership } from './contract/ownership.contract.ts';
import { describeReads } from './contract/reads.contract.ts';
import { describeRecovery } from './contract/recovery.contract.ts';
import { describeReplies } from './contract/replies.contract.ts';
import { describeTails } from './contract/tails.contract.ts';
import { describeTimes } from './contract/times.contract.ts';
import { describeTrims } from './contract/trims.contract.ts';

/** `open` opens a new log with at least 4 partitions; it is called for each part of the suite, and for some tests. */
export function describeLog(name: string, open: OpenLog): void {
  describe(name, () => {
    describeAppends(open);
    describeOwnership(open);
    describeRecovery(open);
    describeReads(open);
    describeTails(open);
    describeTimes(open);
    describeTrims(open);
    describeReplies(open);
    describeClosing(open);
  });
}

/** Runs the same suite, and a test that records survive a reopening of the log. */
export function describeDurableLog(name: string, open: OpenDurableLog): void {
  describeLog(name, open);
  describe(name, () => describeKeeping(open));
}
