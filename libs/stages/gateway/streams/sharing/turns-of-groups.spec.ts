import { Turns } from './turns-of-groups.ts';

const limits = { ofOwnerMax: 3, allMax: 8 };

test('groups take turns, each in its own order, and never run more at once than allowed', async () => {
  const turns = new Turns(2, limits);
  const [begun, ends]: [string[], (() => void)[]] = [[], []];
  const ask = (group: string, name: string): Promise<void> =>
    turns.take(group, async () => {
      begun.push(name);
      await new Promise<void>((resolve) => ends.push(resolve));
    });
  const asked = ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1'].map((name) => ask(name.charAt(0), name));
  const turn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));
  await turn();
  expect(begun).toEqual(['a1', 'a2']);
  while (ends.length > 0) {
    ends.shift()?.();
    await turn();
    expect(ends.length).toBeLessThanOrEqual(2);
  }
  await Promise.all(asked);
  expect(begun).toEqual(['a1', 'a2', 'a3', 'b1', 'c1', 'a4', 'b2']);
});

test('a failed turn passes to the next caller', async () => {
  const turns = new Turns(1, limits);
  const fails = turns.take('a', () => Promise.reject(new Error('no')));
  const next = turns.take('a', () => Promise.resolve('done'));
  await expect(fails).rejects.toThrow('no');
  expect(await next).toBe('done');
});

test('refuses a caller behind too many others, and serves the others', async () => {
  const turns = new Turns(1, limits);
  const gate = Promise.withResolvers<void>();
  const asked = ['a', 'a', 'a', 'a', 'b'].map((group) => turns.take(group, () => gate.promise));
  await expect(turns.take('a', () => gate.promise)).rejects.toMatchObject({ code: 'unavailable', retryable: true });
  gate.resolve();
  await Promise.all(asked);
});
