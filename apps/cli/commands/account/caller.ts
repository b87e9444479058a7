// Asks the service whose API key it is, which needs the scope `read`.
import type { Client, User } from '../../../../libs/client/index.ts';
import { isApiError } from '../../failures/explain.ts';

/** Undefined: the key is valid, but lacks the scope `read`. */
export async function callerOf(client: Pick<Client, 'me'>): Promise<User | undefined> {
  try {
    return await client.me();
  } catch (error) {
    // An invalid key is answered 401.
    if (isApiError(error) && error.status === 403 && error.code === 'forbidden') return undefined;
    throw error;
  }
}

/** Shown in place of the key's user. */
export const lacksReadMessage = 'the API key is valid and lacks the scope read, so it cannot say whose it is';
