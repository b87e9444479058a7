// Makes the end of describing a component that is to be saved: the outcome has the versions of its packages.
import type { Lock } from '../../../packages/packages.ts';
import type { DescribeOutcome } from '../../../sandbox/sandbox.ts';
import { sizes } from '../../../domain/sizes.ts';
import { describeResult } from './describe-result.ts';
import type { Attempt, TriggerResult } from './trigger-result.ts';

/** The envelope and the field names of the record. */
const overheadBytes = 4_096;

export function describeToSaveResult(
  attempt: Attempt,
  outcome: DescribeOutcome,
  { took, lock }: { readonly took: number; readonly lock: Lock | undefined },
): TriggerResult {
  if (lock === undefined || outcome.kind !== 'described') return describeResult(attempt, outcome, took);
  if (lock.length > sizes.lockBytes) {
    const message = `The versions of its packages take ${lock.length} bytes; at most ${sizes.lockBytes} are kept. Import fewer packages, or deploy its code without saving it`;
    const error = { name: 'LockTooLargeError', message };
    return describeResult(attempt, { kind: 'invalid', error, console: outcome.console }, took);
  }
  const { manifest, console } = outcome;
  const doesFit = Buffer.byteLength(JSON.stringify([manifest, console, lock])) + overheadBytes <= sizes.recordBytes;
  // Only a refusal would show the console, so it can be left out.
  const result = describeResult(attempt, doesFit ? outcome : { ...outcome, console: [] }, took);
  const { hook } = result;
  if (hook?.type !== 'SourceDescribed') return result;
  const bytes = result.bytes + lock.length;
  const heldBytes = result.heldBytes + lock.length;
  return { ...result, hook: { ...hook, data: { ...hook.data, lock } }, bytes, heldBytes };
}
