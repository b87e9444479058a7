// Asks for confirmation before an action that cannot be undone; without a terminal it does not ask.
import { Interrupted, usageFailure } from '../failures/failure.ts';
import type { Session } from '../session/session.ts';

/** Resolves if the action is confirmed or nobody can be asked. Throws Interrupted, or a Failure after a no. */
export async function confirmAction(
  session: Session,
  { yes }: { readonly yes?: boolean },
  question: string,
): Promise<void> {
  if (yes === true || !session.canAsk) return;
  const prompts = await session.prompts('Nobody can be asked.');
  const isSure = await prompts.confirm(question, false).catch((error: unknown) => {
    // The interrupted question still shows the marked answer, which can be "Yes".
    if (error instanceof Interrupted) session.out.note('Nothing was done.');
    throw error;
  });
  if (!isSure) throw usageFailure('Nothing was done.');
}
