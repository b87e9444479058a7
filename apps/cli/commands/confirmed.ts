// Asks before an action that cannot be undone; without a terminal it does not ask.
import { usageFailure } from '../failures/failure.ts';
import type { Session } from '../session/session.ts';

/** Where nobody can be asked, the command itself is the answer. Throws Interrupted, or a Failure after a no. */
export async function confirmed(
  session: Session,
  { yes }: { readonly yes?: boolean },
  question: string,
): Promise<void> {
  if (yes === true || !session.canAsk) return;
  const prompts = await session.prompts('Nobody can be asked.');
  if (!(await prompts.confirm(question, false))) throw usageFailure('Nothing was done.');
}
