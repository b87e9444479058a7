// Asks before an action that cannot be undone; without a terminal it does not ask.
import { Interrupted, usageFailure } from '../failures/failure.ts';
import type { Session } from '../session/session.ts';

/** Where nobody can be asked, the command itself is the answer. Throws Interrupted, or a Failure after a no. */
export async function confirmed(
  session: Session,
  { yes }: { readonly yes?: boolean },
  question: string,
): Promise<void> {
  if (yes === true || !session.canAsk) return;
  const prompts = await session.prompts('Nobody can be asked.');
  const isSure = await prompts.confirm(question, false).catch((error: unknown) => {
    // The question stands there with the answer that was marked, which may be "Yes".
    if (error instanceof Interrupted) session.out.note('Nothing was done.');
    throw error;
  });
  if (!isSure) throw usageFailure('Nothing was done.');
}
