// Sends a request that got no answer again with the same Idempotency-Key: the service may have carried it out already.
import { problemOf } from '../problem.ts';

const keyBytes = 16;

interface Unanswered {
  readonly request: string;
  readonly key: string;
}

/** Only the last one: users who try again do so at once. */
let unanswered: Unanswered | undefined;

/** `request`: the route and the body, as text. */
export async function madeOnce<T>(request: string, ask: (key: string) => Promise<T>): Promise<T> {
  const key = unanswered?.request === request ? unanswered.key : newKey();
  try {
    const answer = await ask(key);
    settle(key);
    return answer;
  } catch (error) {
    if (isUnanswered(error)) unanswered = { request, key };
    else settle(key);
    throw error;
  }
}

function settle(key: string): void {
  if (unanswered?.key === key) unanswered = undefined;
}

/** After an answer 500 or above the outcome can be unknown, too. */
function isUnanswered(error: unknown): boolean {
  const { status, code } = problemOf(error);
  return code === 'no_answer' || (status !== undefined && status >= 500);
}

/** `randomUUID` exists only over https. */
const newKey = (): string =>
  [...crypto.getRandomValues(new Uint8Array(keyBytes))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
