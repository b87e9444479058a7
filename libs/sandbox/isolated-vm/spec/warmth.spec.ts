// Instances stay warm while there is room; a source without one starts again from its committed db.
import { setTimeout as sleep } from 'node:timers/promises';
import { IsolatedVmSandbox } from '../isolated-vm-sandbox.ts';
import { bundleOf, cacheDir, invoke, source } from './harness.ts';

let sandbox: IsolatedVmSandbox;
beforeAll(async () => {
  sandbox = await IsolatedVmSandbox.start({ runners: 1, cacheDir, limits: { instancesMax: 2 } });
});
afterAll(() => sandbox.close());

/** Counts its runs in a variable of the module, which is lost with the instance, and in its db. */
const counting = source(
  `if (event.wait) { this.http.respond(); await new Promise((resolve) => setTimeout(resolve, event.wait)); }
   this.db.set('runs', (this.db.get('runs') ?? 0) + 1); this.$emit([++warm, this.db.get('runs')]);`,
  'let warm = 0; ',
);

/** The committed db of each source, which a stage would keep. */
const dbs = new Map<string, Record<string, string>>();

interface RunOptions {
  readonly inside: IsolatedVmSandbox;
  /** Called when the run begins to wait. */
  readonly onBegun: () => void;
}

async function run(
  sourceId: string,
  revision = 1,
  event: object = {},
  options: Partial<RunOptions> = {},
): Promise<unknown> {
  const { inside = sandbox, onBegun = () => {} } = options;
  const outcome = await inside.invoke({
    sourceId,
    revision,
    bundle: () => bundleOf(counting),
    what: 'run',
    event: event as never,
    props: {},
    db: () => dbs.get(sourceId) ?? {},
    onRespond: onBegun,
  });
  const db = { ...dbs.get(sourceId) };
  for (const [key, text] of outcome.dbWrites) if (text !== null) db[key] = text;
  dbs.set(sourceId, db);
  return outcome.emits[0]?.event ?? outcome.end;
}

it('keeps an instance warm, and reloads the least recently used one beyond the bound', async () => {
  expect([await run('a'), await run('a'), await run('b'), await run('a')]).toEqual([
    [1, 1],
    [2, 2],
    [1, 1],
    [3, 3],
  ]);
  expect(await run('c')).toEqual([1, 1]);
  expect([await run('a'), await run('b')]).toEqual([
    [4, 4],
    [1, 2],
  ]);
});

it('never evicts an instance that is running', async () => {
  const begun = ['d', 'e'].map(() => Promise.withResolvers<void>());
  const running = ['d', 'e'].map((sourceId, at) =>
    run(sourceId, 1, { wait: 300 }, { onBegun: () => begun[at]?.resolve() }),
  );
  await Promise.all(begun.map(({ promise }) => promise));
  expect(await run('f')).toEqual([1, 1]);
  expect(await Promise.all(running)).toEqual([
    [1, 1],
    [1, 1],
  ]);
});

it('starts a new revision fresh while the old one finishes what it does', async () => {
  expect(await run('g')).toEqual([1, 1]);
  const begun = Promise.withResolvers<void>();
  // Longer than the other run takes to begin, even on a busy machine.
  const old = run('g', 1, { wait: 2_000 }, { onBegun: begun.resolve });
  await begun.promise;
  expect(await run('g', 2)).toEqual([1, 2]);
  expect(await old).toEqual([2, 2]);
});

it('drops an instance that has been idle for long, but none that is running', async () => {
  const instanceIdleMs = 500;
  const forgetting = await IsolatedVmSandbox.start({ runners: 1, cacheDir, limits: { instanceIdleMs } });
  expect(await run('h', 1, { wait: 3 * instanceIdleMs }, { inside: forgetting })).toEqual([1, 1]);
  await sleep(3 * instanceIdleMs);
  expect(await run('h', 1, {}, { inside: forgetting })).toEqual([1, 2]);
  await forgetting.close();
});

it('serves many sources and invocations at once', async () => {
  const all = Array.from({ length: 200 }, (_, at) => run(`many${at % 10}`));
  const results = (await Promise.all(all)) as [number, number][];
  expect(results.every((result) => Array.isArray(result))).toBe(true);
});

it('ends its processes when it is closed', async () => {
  const closing = await IsolatedVmSandbox.start({ runners: 1, cacheDir });
  const pids = closing.processIds;
  expect(pids).toHaveLength(2);
  await closing.close();
  const isAlive = (pid: number): boolean => {
    try {
      return process.kill(pid, 0);
    } catch {
      return false;
    }
  };
  while (pids.some(isAlive)) await sleep(5);
  await expect(closing.describe(await bundleOf(counting))).rejects.toMatchObject({ code: 'closed' });
});

it('describes each component in a fresh isolate, also in one made ahead of time', async () => {
  const leaking = (n: number): string =>
    source('', `console.log('loads', ${n}, globalThis.seen); globalThis.seen = ${n}; if (${n} === 1) for (;;); `);
  const ends: unknown[] = [];
  for (let n = 0; n < 4; n++) {
    const { kind, console: lines } = await sandbox.describe(await bundleOf(leaking(n)));
    ends.push([kind, lines.map(({ text }) => text)]);
    // Longer than the delay before the next isolate is made.
    await sleep(n === 2 ? 0 : 60);
  }
  expect(ends).toEqual(
    ['described', 'invalid', 'described', 'described'].map((kind, n) => [kind, [`loads ${n} undefined`]]),
  );
}, 20_000);

it('indents the lines of a group in its own run alone, also beside others', async () => {
  const code = source(`console.log('before'); console.group('of ' + event.n); console.log('in\\nside');
    if (event.wait) await new Promise((resolve) => setTimeout(resolve, 50)); console.log('after'); console.groupEnd(); console.groupEnd(); console.groupEnd();
    console.group(); console.group();`);
  const linesOf = async (n: number, wait: boolean): Promise<string> => {
    const { console } = await invoke(sandbox, code, { sourceId: 'groups', event: { n, wait } });
    return console.map(({ text }) => text).join('|');
  };
  const shown = (n: number): string => `before|of ${n}|  in\n  side|  after`;
  expect(await linesOf(0, false)).toBe(shown(0));
  expect(await Promise.all([linesOf(1, true), linesOf(2, true), linesOf(3, false)])).toEqual([1, 2, 3].map(shown));
});
