// A source that might have killed a process runs alone; only deaths in which it was alone count against it.
import { fakeBundle } from '../../../../packages/packages.fake.ts';
import type { Invocation, InvocationEnd, InvocationOutcome } from '../../../sandbox.ts';
import { lostOutcome } from '../lost-outcome.ts';
import type { QuarantinedDeath } from './own-process.ts';
import { Quarantine } from './quarantine.ts';

class FakeRunner {
  isDead = false;
  hasStarted = true;
  readonly started = Promise.resolve();
  readonly unloaded: string[] = [];
  readonly invocations: { readonly invocation: Invocation; readonly end: (end: InvocationEnd) => void }[] = [];
  readonly #onDeath: (death: QuarantinedDeath) => void;

  constructor(onDeath: (death: QuarantinedDeath) => void) {
    this.#onDeath = onDeath;
  }

  invoke(invocation: Invocation): Promise<InvocationOutcome> {
    const { promise, resolve } = Promise.withResolvers<InvocationOutcome>();
    this.invocations.push({ invocation, end: (end) => resolve({ ...lostOutcome(1), end }) });
    return promise;
  }

  unload(sourceId: string): void {
    this.unloaded.push(sourceId);
  }

  die(isDoubtful = false): void {
    this.isDead = true;
    for (const { end } of this.invocations.splice(0)) end('lost');
    this.#onDeath({ isDoubtful });
  }
}

let runners: FakeRunner[] = [];
let quarantine: Quarantine<FakeRunner>;
beforeEach(() => {
  runners = [];
  const spawn = (onDeath: (death: QuarantinedDeath) => void): FakeRunner => {
    const runner = new FakeRunner(onDeath);
    runners.push(runner);
    return runner;
  };
  quarantine = new Quarantine({ spawn, dismiss: (runner) => (runner.isDead = true) });
});
afterEach(() => quarantine.close());

const noBundle = async () => fakeBundle('');

function invoke(sourceId: string, workspace?: string, beginBy?: number): Promise<InvocationEnd> {
  const invocation: Invocation = {
    sourceId,
    revision: 1,
    bundle: noBundle,
    what: 'run',
    event: null,
    props: {},
    ...(workspace === undefined ? {} : { workspace }),
    ...(beginBy === undefined ? {} : { beginBy }),
    db: () => ({}),
    onRespond: () => {},
  };
  return quarantine.invoke(invocation).then(({ end }) => end);
}

const settle = (): Promise<void> => new Promise(setImmediate);
const running = (): string[] =>
  runners.flatMap(({ invocations }) => invocations.map(({ invocation }) => invocation.sourceId));
const runnerOf = (sourceId: string): FakeRunner => {
  const runner = runners.find(({ invocations }) =>
    invocations.some(({ invocation }) => invocation.sourceId === sourceId),
  );
  if (!runner) throw new Error(`${sourceId} does not run`);
  return runner;
};

async function end(sourceId: string, how: InvocationEnd = 'finished'): Promise<void> {
  const { invocations } = runnerOf(sourceId);
  const at = invocations.findIndex(({ invocation }) => invocation.sourceId === sourceId);
  invocations.splice(at, 1)[0]?.end(how);
  await settle();
}

async function crash(sourceId: string): Promise<void> {
  quarantine.suspect([sourceId]);
  const outcome = invoke(sourceId);
  await settle();
  runnerOf(sourceId).die();
  expect(await outcome).toBe('crashed');
  await settle();
}

describe('a suspect', () => {
  it('runs in a process of its own, is unloaded there after it, and is free after one clean end', async () => {
    quarantine.suspect(['a', 'b']);
    const ends = [invoke('a'), invoke('b')];
    await settle();
    expect(runners.map(({ invocations }) => invocations.length)).toEqual([1, 1]);
    await end('a');
    await end('b', 'threw');
    expect(await Promise.all(ends)).toEqual(['finished', 'threw']);
    expect(runners.map(({ unloaded }) => unloaded)).toEqual([['a'], ['b']]);
    expect([quarantine.isQuarantined('a'), quarantine.isQuarantined('b')]).toEqual([false, false]);
  });

  it('stays a suspect when its invocation is lost', async () => {
    quarantine.suspect(['a']);
    const outcome = invoke('a');
    await settle();
    await end('a', 'lost');
    expect(await outcome).toBe('lost');
    expect(quarantine.isQuarantined('a')).toBe(true);
  });

  it.each(['timed_out', 'out_of_memory'] as const)(
    'that is %s needs more clean ends, and its next invocation does not meet code still running',
    async (how) => {
      quarantine.suspect(['a']);
      for (const each of [how, 'finished', 'finished'] as const) {
        expect(quarantine.isQuarantined('a')).toBe(true);
        const outcome = invoke('a');
        await settle();
        await end('a', each);
        expect(await outcome).toBe(each);
      }
      expect(quarantine.isQuarantined('a')).toBe(false);
      expect(runners.map(({ isDead }) => isDead)).toEqual([true, false]);
    },
  );

  it('never meets the process of another source, even an idle one', async () => {
    for (const sourceId of ['a', 'b', 'c', 'd', 'e']) {
      quarantine.suspect([sourceId]);
      void invoke(sourceId);
      await settle();
      await end(sourceId);
    }
    expect(runners).toHaveLength(5);
    expect(runners.map(({ isDead }) => isDead)).toEqual([true, false, false, false, false]);
  });

  it('may have several invocations there at once, because one may wait for the other', async () => {
    quarantine.suspect(['a']);
    void invoke('a');
    void invoke('a');
    await settle();
    expect(runners.map(({ invocations }) => invocations.length)).toEqual([2]);
    await end('a');
    expect(quarantine.isQuarantined('a')).toBe(true);
    void invoke('a');
    await settle();
    expect(runners.map(({ invocations }) => invocations.length)).toEqual([2]);
  });
});

describe('a culprit', () => {
  it('stays in quarantine until it has ended cleanly twenty times', async () => {
    await crash('a');
    for (let ends = 0; ends < 20; ends++) {
      expect(quarantine.isQuarantined('a')).toBe(true);
      void invoke('a');
      await settle();
      await end('a');
    }
    expect(quarantine.isQuarantined('a')).toBe(false);
  });

  it('runs one invocation at a time; which of several killed their process is found out one by one', async () => {
    quarantine.suspect(['a']);
    const first = [invoke('a'), invoke('a')];
    await settle();
    runnerOf('a').die();
    expect(await Promise.all(first)).toEqual(['lost', 'lost']);
    const second = [invoke('a'), invoke('a')];
    await settle();
    expect(running()).toEqual(['a']);
    runnerOf('a').die();
    expect(await second[0]).toBe('crashed');
    await settle();
    await end('a');
    expect(await second[1]).toBe('finished');
  });

  it('is found also when its process dies just after its invocation has ended', async () => {
    quarantine.suspect(['a']);
    void invoke('a');
    await settle();
    const runner = runnerOf('a');
    await end('a');
    expect(quarantine.isQuarantined('a')).toBe(false);
    runner.die();
    expect(quarantine.isQuarantined('a')).toBe(true);
  });

  it('leaves a place to sources that are not culprits, and runs after those', async () => {
    for (const sourceId of ['a', 'b', 'c', 'd']) await crash(sourceId);
    for (const sourceId of ['a', 'b', 'c', 'd']) void invoke(sourceId);
    await settle();
    expect(running().toSorted()).toEqual(['a', 'b', 'c']);
    quarantine.suspect(['innocent', 'other']);
    for (const sourceId of ['innocent', 'other']) void invoke(sourceId);
    await settle();
    expect(running()).toContain('innocent');
    await end('a');
    expect(running()).toContain('other');
    expect(running()).not.toContain('d');
  });
});

describe('a death with an unclear cause', () => {
  it('loses what was running twice in a row; the third time the source is blamed', async () => {
    quarantine.suspect(['a']);
    const ends: InvocationEnd[] = [];
    for (let deaths = 0; deaths < 3; deaths++) {
      const outcome = invoke('a');
      await settle();
      runnerOf('a').die(true);
      ends.push(await outcome);
      await settle();
    }
    expect(ends).toEqual(['lost', 'lost', 'crashed']);
  });

  it('is never blamed on the source when the process had not started', async () => {
    quarantine.suspect(['a']);
    for (let deaths = 0; deaths < 5; deaths++) {
      const outcome = invoke('a');
      await settle();
      const runner = runnerOf('a');
      runner.hasStarted = false;
      runner.die(true);
      expect(await outcome).toBe('lost');
      await settle();
    }
  });
});

describe('waiting', () => {
  it('leaves half of the places to other workspaces, and takes workspaces in turn', async () => {
    const sources = Array.from({ length: 10 }, (_, at) => `greedy${at}`);
    quarantine.suspect([...sources, 'modest']);
    for (const sourceId of sources) void invoke(sourceId, 'greedy');
    void invoke('modest', 'modest');
    await settle();
    expect(running().toSorted()).toEqual(['greedy0', 'greedy1', 'modest']);
  });

  it('is never caused only by misbehaving sources of the same workspace: one place is left to the others', async () => {
    const bad = ['burns', 'sleeps', 'bombs'];
    quarantine.suspect(bad);
    for (const sourceId of bad) {
      void invoke(sourceId, 'w');
      await settle();
      await end(sourceId, 'timed_out');
    }
    for (const sourceId of bad) void invoke(sourceId, 'w');
    await settle();
    expect(running()).toEqual(['burns']);
    quarantine.suspect(['innocent']);
    void invoke('innocent', 'w');
    await settle();
    expect(running().toSorted()).toEqual(['burns', 'innocent']);
    await end('innocent');
    expect(running()).toEqual(['burns']);
    await end('burns');
    expect(running()).toEqual(['sleeps']);
  });

  it('is lost when its source is unloaded, and never begins', async () => {
    await crash('a');
    void invoke('a');
    const waiting = invoke('a');
    await settle();
    quarantine.unload('a');
    expect(await waiting).toBe('lost');
    expect(running()).toEqual(['a']);
  });

  it('is lost when a place is free too late for it to begin, and the next one begins', async () => {
    await crash('a');
    void invoke('a');
    const late = invoke('a', 'a', performance.now());
    const next = invoke('a', 'a', performance.now() + 60_000);
    await settle();
    await end('a');
    expect(await late).toBe('lost');
    await settle();
    expect(running()).toEqual(['a']);
    await end('a');
    expect(await next).toBe('finished');
  });

  it('has a bound, and ends when all is closed', async () => {
    await crash('a');
    const ends = Array.from({ length: 1_002 }, () => invoke('a'));
    await settle();
    expect(await ends[1_001]).toBe('lost');
    quarantine.close();
    expect(new Set(await Promise.all(ends.slice(1, 1_001)))).toEqual(new Set(['lost']));
    expect(await invoke('a')).toBe('lost');
  });
});
