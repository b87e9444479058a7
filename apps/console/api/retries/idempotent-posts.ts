// Sends a request that got no answer again with the same Idempotency-Key: the service may have carried it out already.
import { problemOf } from '../problem.ts';

const keyBytes = 16;

interface UnansweredRequest {
  readonly request: string;
  readonly key: string;
}

/** Only the last one: users who try again do so at once. */
let lastUnanswered: UnansweredRequest | undefined;

/** `request`: the route and the body, as text. */
export async function sendOnce<T>(request: string, send: (key: string) => Promise<T>): Promise<T> {
  const key = lastUnanswered?.request === request ? lastUnanswered.key : newKey();
  try {
    const result = await send(key);
    forgetUnanswered(key);
    return result;
  } catch (error) {
    if (isOutcomeUnknown(error)) lastUnanswered = { request, key };
    else forgetUnanswered(key);
    throw error;
  }
}

function forgetUnanswered(key: string): void {
  if (lastUnanswered?.key === key) lastUnanswered = undefined;
}

/** After an answer 500 or above the outcome can be unknown, too. */
function isOutcomeUnknown(error: unknown): boolean {
  const { status, code } = problemOf(error);
  return code === 'no_answer' || (status !== undefined && status >= 500);
}

/** `randomUUID` exists only over https. */
const newKey = (): string =>
  [...crypto.getRandomValues(new Uint8Array(keyBytes))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
