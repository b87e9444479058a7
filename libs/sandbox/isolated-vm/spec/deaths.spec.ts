// A source counts as the killer of a process only if it was alone in it; other sources repeat one run at most.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Json } from '../../../domain/json.ts';
import type { Pace } from '../../sandbox.ts';
import { IsolatedVmSandbox } from '../isolated-vm-sandbox.ts';
import { bundleOf, cacheDir, describeCode, invoke, source } from './harness.ts';

let sandbox: IsolatedVmSandbox;
beforeEach(async () => {
  // Long enough that, on a busy machine too, code that is meant to kill does not reach a time limit first.
  const limits = { sliceMs: 20_000, cpuMs: 20_000, memoryMb: 48 };
  sandbox = await IsolatedVmSandbox.start({ runners: 1, cacheDir, limits });
});
afterEach(() => sandbox.close());

/** A fatal error of V8: an array beyond the maximum length. */
const fatal = '"a".repeat(2 ** 28).split("");';

it('a source that kills its process again and again makes each of ten others repeat at most one run', async () => {
  const killerEnds: string[] = [];
  let over = false;
  const killing = (async () => {
    while (!over) killerEnds.push((await invoke(sandbox, source(fatal), { sourceId: 'dc_killer' })).end);
  })();
  const innocent = async (sourceId: string): Promise<string[]> => {
    const ends: string[] = [];
    while (killerEnds.length < 4) {
      ends.push((await invoke(sandbox, source('this.$emit(1)'), { sourceId })).end);
      await sleep(10);
    }
    return ends;
  };
  const sources = Array.from({ length: 10 }, (_, at) => `dc_innocent_${at}`);
  const described = describeCode(sandbox, source('', '/* meanwhile */'));
  const ends = await Promise.all(sources.map(innocent));
  over = true;
  await killing;
  expect(killerEnds.slice(0, 4)).toEqual(['lost', 'crashed', 'crashed', 'crashed']);
  expect(await described).toMatchObject({ kind: 'described' });
  for (const own of ends) {
    expect(own.filter((end) => end === 'lost').length).toBeLessThanOrEqual(1);
    expect(new Set(own.filter((end) => end !== 'lost'))).toEqual(new Set(['finished']));
  }
}, 60_000);

it('a suspect runs in a process of its own, and among the others again after one clean end', async () => {
  const innocent = source('this.http.respond(); if (event.wait) await new Promise(() => {}); this.$emit(1)');
  const order = { sourceId: 'dc_suspect' };
  const { promise: begun, resolve: onRespond } = Promise.withResolvers<unknown>();
  const victim = invoke(sandbox, innocent, { ...order, event: { wait: true }, onRespond });
  await begun;
  const killer = invoke(sandbox, source(fatal));
  expect([(await victim).end, (await killer).end]).toEqual(['lost', 'lost']);
  const before = sandbox.processIds;
  expect(await invoke(sandbox, innocent, order)).toMatchObject({ end: 'finished' });
  const alone = sandbox.processIds.filter((pid) => !before.includes(pid));
  expect(alone).toHaveLength(1);
  for (const pid of alone) process.kill(pid, 'SIGKILL');
  expect(await invoke(sandbox, innocent, order)).toMatchObject({ end: 'finished' });
}, 30_000);

it('a suspect is not blamed when somebody else kills its process, except the third time in a row', async () => {
  const waiting = source('this.http.respond(); await new Promise(() => {})');
  const ends: string[] = [];
  for (let times = 0; times < 4; times++) {
    const onRespond = (): void => sandbox.processIds.forEach((pid) => process.kill(pid, 'SIGKILL'));
    ends.push((await invoke(sandbox, waiting, { sourceId: 'dc_unlucky', onRespond })).end);
  }
  expect(ends).toEqual(['lost', 'lost', 'lost', 'crashed']);
}, 30_000);

describe('a source whose former process dies of what it has left there while it runs in another one', () => {
  const counting = source(
    `if (event.stick) (2n ** (1n << 29n)).toString();
     await new Promise((resolve) => setTimeout(resolve, event.waitMs ?? 0));
     this.db.set('runs', (this.db.get('runs') ?? 0) + 1); this.$emit(this.db.get('runs'));`,
  );
  let died: PromiseWithResolvers<void>;
  let watched: IsolatedVmSandbox;
  let db: Record<string, string>;
  beforeEach(async () => {
    died = Promise.withResolvers<void>();
    db = {};
    const onTrouble = (): void => died.resolve();
    watched = await IsolatedVmSandbox.start({ runners: 1, cacheDir, limits: { sliceMs: 300 }, onTrouble });
    expect(await run('quick', { stick: true })).toBe('timed_out');
  });
  afterEach(() => watched.close());

  async function run(pace: Pace, event: Json = {}): Promise<unknown> {
    const order = { sourceId: 'dc_moved', revision: 1, what: 'run', props: {}, onRespond: () => {} } as const;
    const options = { pace, event, bundle: () => bundleOf(counting), db: () => ({ ...db }) };
    const { dbWrites, emits, end } = await watched.invoke({ ...order, ...options });
    for (const [key, text] of dbWrites) if (text !== null) db[key] = text;
    return emits[0]?.event ?? end;
  }

  it('goes on with all that it wrote in a process of its own', async () => {
    expect(await run('slow')).toBe(1);
    await died.promise;
    const before = watched.processIds;
    expect(await run('slow')).toBe(2);
    expect(watched.processIds.filter((pid) => !before.includes(pid))).not.toHaveLength(0);
    expect([await run('slow'), await run('quick')]).toEqual([3, 4]);
  }, 60_000);

  it('is in one process at a time', async () => {
    const long = run('slow', { waitMs: 6_000 });
    await died.promise;
    expect((await Promise.all([long, run('slow')])).toSorted()).toEqual([1, 2]);
  }, 60_000);
});

it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
  '%s to each of its processes ends no run',
  async (signal) => {
    const slow = source('this.http.respond(); await new Promise((done) => setTimeout(done, 300)); this.$emit(1)');
    const onRespond = (): void => sandbox.processIds.forEach((pid) => process.kill(pid, signal));
    expect(await invoke(sandbox, slow, { onRespond })).toMatchObject({ end: 'finished' });
  },
  30_000,
);
