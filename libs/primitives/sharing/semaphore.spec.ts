import { Semaphore } from './semaphore.ts';

/** A task that ends when the test ends it. */
function task(name: string, begun: string[]) {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const run = (): Promise<string> => {
    begun.push(name);
    return promise;
  };
  return { run, end: () => resolve(name), fail: () => reject(new Error(name)) };
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('no more tasks run at once than it allows, and the others begin in order', async () => {
  const begun: string[] = [];
  const semaphore = new Semaphore(2);
  const [a, b, c, d] = [task('a', begun), task('b', begun), task('c', begun), task('d', begun)];
  const results = [a, b, c, d].map(({ run }) => semaphore.run(run));
  expect(begun).toEqual(['a', 'b']);
  b.end();
  await turn();
  expect(begun).toEqual(['a', 'b', 'c']);
  a.end();
  await turn();
  expect(begun).toEqual(['a', 'b', 'c', 'd']);
  c.end();
  d.end();
  expect(await Promise.all(results)).toEqual(['a', 'b', 'c', 'd']);
});

test('owners take turns, however many tasks of one wait', async () => {
  const begun: string[] = [];
  const semaphore = new Semaphore(1);
  const run = (name: string, owner?: string): Promise<void> => semaphore.run(async () => void begun.push(name), owner);
  const many = Array.from({ length: 100 }, (_, n) => run(`many${n}`, 'many'));
  await Promise.all([...many, run('other0', 'other'), run('nobody'), run('other1', 'other')]);
  expect(begun.slice(0, 6)).toEqual(['many0', 'many1', 'other0', 'nobody', 'many2', 'other1']);
  expect(begun).toHaveLength(103);
});

test('a task that fails makes room for the next', async () => {
  const begun: string[] = [];
  const semaphore = new Semaphore(1);
  const [a, b] = [task('a', begun), task('b', begun)];
  const [failed, next] = [semaphore.run(a.run), semaphore.run(b.run)];
  a.fail();
  await expect(failed).rejects.toThrow('a');
  b.end();
  expect(await next).toBe('b');
});
