// Whose API key it is, as far as the key may tell.
import type { Client, User } from '../../../../libs/client/index.ts';
import { isApiError } from '../../failures/explain.ts';

/** Undefined: the key is valid and lacks the scope `read`, which whose it is needs. */
export async function callerOf(client: Pick<Client, 'me'>): Promise<User | undefined> {
  try {
    return await client.me();
  } catch (error) {
    // An invalid key is answered 401.
    if (isApiError(error) && error.status === 403 && error.code === 'forbidden') return undefined;
    throw error;
  }
}

/** Where it would say whose key it is. */
export const lacksRead = 'the API key is valid and lacks the scope read, so it cannot say whose it is';
