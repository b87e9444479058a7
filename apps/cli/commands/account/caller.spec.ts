import { ApiError } from '../../../../libs/client/index.ts';
import type { User } from '../../../../libs/client/index.ts';
import { callerOf } from './caller.ts';

const refused = (status: number, code: string) => async (): Promise<User> => {
  throw new ApiError('x', { status, code });
};

test('a key without the scope read is valid, but has no known user', async () => {
  expect(await callerOf({ me: refused(403, 'forbidden') })).toBeUndefined();
});

test('an invalid key is refused', async () => {
  await expect(callerOf({ me: refused(401, 'unauthorized') })).rejects.toMatchObject({ status: 401 });
});
