import { FairTurns } from './fair-turns.ts';

const limits = { perOwnerMax: 3, totalMax: 8, full: () => new Error('full') };

test('groups take turns, each in its own order, and never run more at once than allowed', async () => {
  const turns = new FairTurns({ ...limits, atOnce: 2 });
  const [begun, ends]: [string[], (() => void)[]] = [[], []];
  const ask = (group: string, name: string): Promise<void> =>
    turns.run(group, async () => {
      begun.push(name);
      await new Promise<void>((resolve) => ends.push(resolve));
    });
  const runs = ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1'].map((name) => ask(name.charAt(0), name));
  const turn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));
  await turn();
  expect(begun).toEqual(['a1', 'a2']);
  while (ends.length > 0) {
    ends.shift()?.();
    await turn();
    expect(ends.length).toBeLessThanOrEqual(2);
  }
  await Promise.all(runs);
  expect(begun).toEqual(['a1', 'a2', 'a3', 'b1', 'c1', 'a4', 'b2']);
});

test('a failed turn passes to the next caller', async () => {
  const turns = new FairTurns({ ...limits, atOnce: 1 });
  const fails = turns.run('a', () => Promise.reject(new Error('no')));
  const next = turns.run('a', () => Promise.resolve('done'));
  await expect(fails).rejects.toThrow('no');
  expect(await next).toBe('done');
});

test('refuses a caller after too many others, and serves the others', async () => {
  const turns = new FairTurns({ ...limits, atOnce: 1 });
  const gate = Promise.withResolvers<void>();
  const runs = ['a', 'a', 'a', 'a', 'b'].map((group) => turns.run(group, () => gate.promise));
  await expect(turns.run('a', () => gate.promise)).rejects.toThrow('full');
  gate.resolve();
  await Promise.all(runs);
});

test('a group that may not have all turns leaves some to others, however many of its callers wait', async () => {
  const turns = new FairTurns({
    atOnce: 4,
    perOwnerAtOnce: 2,
    perOwnerMax: 8,
    totalMax: 16,
    full: () => new Error('full'),
  });
  const gate = Promise.withResolvers<void>();
  const begun: string[] = [];
  const runs = ['a', 'a', 'a', 'a', 'b', 'b', 'b'].map((group) =>
    turns.run(group, () => {
      begun.push(group);
      return gate.promise;
    }),
  );
  await new Promise((resolve) => void setImmediate(resolve));
  expect(begun).toEqual(['a', 'a', 'b', 'b']);
  gate.resolve();
  await Promise.all(runs);
  expect(begun).toHaveLength(7);
  expect(await turns.run('a', () => Promise.resolve('free again'))).toBe('free again');
});

test('work that waits elsewhere leaves its turn to others, and continues in another turn', async () => {
  const turns = new FairTurns({ ...limits, atOnce: 1 });
  const [gate, end] = [Promise.withResolvers<string>(), Promise.withResolvers<void>()];
  const done: string[] = [];
  const waits = turns.run('a', async (away) => void done.push(await away(() => gate.promise)));
  const other = turns.run('a', async () => {
    done.push('other');
    await end.promise;
  });
  await new Promise((resolve) => void setImmediate(resolve));
  gate.resolve('back');
  await new Promise((resolve) => void setImmediate(resolve));
  expect(done).toEqual(['other']);
  end.resolve();
  await Promise.all([waits, other]);
  expect(done).toEqual(['other', 'back']);
});

test('bounds how many of a group wait elsewhere, and one that fails meanwhile frees one turn, not two', async () => {
  const turns = new FairTurns({ ...limits, atOnce: 1 });
  const gate = Promise.withResolvers<void>();
  const away = Array.from({ length: 4 }, () => turns.run('a', (leave) => leave(() => gate.promise)));
  await expect(away[3]).rejects.toThrow('full');
  await turns.run('b', (leave) => leave(() => Promise.resolve()));
  gate.reject(new Error('gone'));
  expect(await Promise.allSettled(away.slice(0, 3))).toMatchObject(Array(3).fill({ reason: new Error('gone') }));
  let [running, most] = [0, 0];
  const work = async (): Promise<void> => {
    most = Math.max(most, ++running);
    await new Promise((resolve) => void setImmediate(resolve));
    running -= 1;
  };
  await Promise.all(['a', 'a', 'b', 'b'].map((group) => turns.run(group, work)));
  expect(most).toBe(1);
});
