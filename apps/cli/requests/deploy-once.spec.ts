import { ApiError } from '../../../libs/client/index.ts';
import type { NewSource } from '../../../libs/client/index.ts';
import { DeployOnce } from './deploy-once.ts';

const lost = new ApiError('x', { status: null, code: 'no_answer' });
const refused = new ApiError('x', { status: 400, code: 'component_invalid' });

/** Numbers the keys of deploys sent one after another; each ends with its error, or succeeds. */
async function keysOf(deploys: readonly { readonly code: string; readonly error?: Error }[]) {
  const keys: string[] = [];
  const ends = deploys.map(({ error }) => error);
  const once = new DeployOnce({
    deploySource: async (_, { idempotencyKey = '' } = {}) => {
      const error = ends[keys.push(idempotencyKey) - 1];
      if (error !== undefined) throw error;
      return {} as NewSource;
    },
  });
  for (const { code } of deploys) await once.deploy({ component_code: code }).catch(() => undefined);
  return keys.map((key) => [...new Set(keys)].indexOf(key));
}

test('a deploy has the same key until it is answered, and another key with other code', async () => {
  expect(
    await keysOf([{ code: 'a', error: lost }, { code: 'a', error: lost }, { code: 'b', error: lost }, { code: 'b' }]),
  ).toEqual([0, 0, 1, 1]);
});

test('after a refusal, the same request gets a new key, because the cause might be gone by then', async () => {
  expect(await keysOf([{ code: 'a', error: refused }, { code: 'a' }])).toEqual([0, 1]);
});
