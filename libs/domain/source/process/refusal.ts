// The refusals of commands about sources, with messages for their senders.
import type { Source } from '../state/source.ts';

interface Refusal<Reason extends string> {
  readonly reason: Reason;
  readonly message: string;
}

export const sourceNotFound = (sourceId: string): Refusal<'source_not_found'> => ({
  reason: 'source_not_found',
  message: `There is no source ${sourceId} in this workspace. Check the id.`,
});

export const busy = (sourceId: string, { status }: Source): Refusal<'busy'> => ({
  reason: 'busy',
  message: `Source ${sourceId} is ${status}: wait until that has ended, then try again.`,
});
