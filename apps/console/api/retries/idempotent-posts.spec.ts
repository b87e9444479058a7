// A form that got no answer and is sent again makes one record.
import { Problem } from '../problem.ts';
import { sendOnce } from './idempotent-posts.ts';

const failure = (status: number | undefined, code: string): Problem =>
  new Problem('x', status === undefined ? { code } : { status, code });
const lost = failure(undefined, 'no_answer');

/** Numbers the keys of requests sent one after another; each ends with its problem, or succeeds. */
async function keysOf(...requests: readonly (readonly [text: string, problem?: Problem])[]) {
  const keys: string[] = [];
  for (const [text, problem] of requests)
    await sendOnce(text, async (key) => {
      keys.push(key);
      if (problem !== undefined) throw problem;
    }).catch(() => undefined);
  return keys.map((key) => [...new Set(keys)].indexOf(key));
}

test('a request without an answer has its key again, until it is answered', async () => {
  expect(await keysOf(['a', lost], ['a', failure(503, 'unknown_outcome')], ['a'], ['a'])).toEqual([0, 0, 0, 1]);
});

test('another request has a key of its own, and so has one that was refused', async () => {
  expect(await keysOf(['a', lost], ['b'], ['a', failure(400, 'props_invalid')], ['a'])).toEqual([0, 1, 0, 2]);
});

test('a key is what the service takes', async () => {
  await sendOnce('c', async (key) => expect(key).toMatch(/^[0-9a-f]{32}$/));
});
