// Makes the end of describing a component that is to be saved: the outcome has the versions of its packages.
import type { Lock } from '../../../packages/packages.ts';
import type { DescribeOutcome } from '../../../sandbox/sandbox.ts';
import { sizes } from '../../../domain/sizes.ts';
import { described } from './described.ts';
import type { Begun, Finished } from './finished.ts';

/** The envelope and the field names of the record. */
const overheadBytes = 4_096;

export function describedToSave(
  begun: Begun,
  outcome: DescribeOutcome,
  { took, lock }: { readonly took: number; readonly lock: Lock | undefined },
): Finished {
  if (lock === undefined || outcome.kind !== 'described') return described(begun, outcome, took);
  if (lock.length > sizes.lockBytes) {
    const message = `The versions of its packages take ${lock.length} bytes; at most ${sizes.lockBytes} are kept. Import fewer packages, or deploy its code without saving it`;
    const error = { name: 'LockTooLargeError', message };
    return described(begun, { kind: 'invalid', error, console: outcome.console }, took);
  }
  const { manifest, console } = outcome;
  const isInRoom = Buffer.byteLength(JSON.stringify([manifest, console, lock])) + overheadBytes <= sizes.recordBytes;
  // Only a refusal would show the console, so it can be left out.
  const finished = described(begun, isInRoom ? outcome : { ...outcome, console: [] }, took);
  const { hook } = finished;
  if (hook?.type !== 'SourceDescribed') return finished;
  const bytes = finished.bytes + lock.length;
  const heldBytes = finished.heldBytes + lock.length;
  return { ...finished, hook: { ...hook, data: { ...hook.data, lock } }, bytes, heldBytes };
}
