// The contract suite of the sandbox port, for the isolates and the fake.
import {
  components,
  crasher,
  described,
  emitter,
  handshake,
  keeper,
  neighbour,
  responder,
  sampled,
  tattler,
  thrower,
} from './contract/components.ts';
import { invoke, waitUntil } from './contract/harness.ts';
import type { StartedInvocation, SandboxUnderTest, OpenSandbox } from './contract/harness.ts';

/** `open` is called once for the suite, and again for the tests that close what they use. */
export function describeSandbox(name: string, open: OpenSandbox): void {
  describe(name, () => {
    let opened: SandboxUnderTest;
    beforeAll(async () => (opened = await open(components)));
    afterAll(() => opened.sandbox.close());
    // Each test has its own sources.
    let sourceId = '';
    let count = 0;
    beforeEach(() => (sourceId = `dc_${++count}`));

    describeDescribing(() => opened);
    describeInvoking(() => ({ opened, sourceId }));
    describeDb(() => ({ opened, sourceId }));

    it('ends running and later invocations as lost when it is closed', async () => {
      const closing = await open(components);
      const { outcome, responses } = invoke(closing, { component: responder });
      await waitUntil(() => responses.length > 0);
      await closing.sandbox.close();
      expect(await outcome).toMatchObject({ end: 'lost', emits: [], dbWrites: [], console: [] });
    });
  });
}

/** Not a program; its map has one mapping, from the first position to the first. */
const noProgram = {
  js: 'this is not code',
  map: '{"version":3,"sources":["component.js"],"names":[],"mappings":"AAAA"}',
};

function describeDescribing(currentSandbox: () => SandboxUnderTest): void {
  const describeIt = async (code: string) => currentSandbox().sandbox.describe(await currentSandbox().bundleOf(code));

  it('describes a component by its manifest', async () => {
    const manifest = described.scripted.manifest;
    expect(await describeIt(described.code)).toEqual({ kind: 'described', manifest, console: [] });
  });

  it('describes the manifest of a component with a sample', async () => {
    const manifest = sampled.scripted.manifest;
    expect(await describeIt(sampled.code)).toEqual({ kind: 'described', manifest, console: [] });
  });

  it('refuses a bundle that does not parse, and names what and where', async () => {
    const outcome = await currentSandbox().sandbox.describe(noProgram);
    expect(outcome).toMatchObject({ kind: 'invalid', error: { name: 'SyntaxError', line: 1 } });
  });
}

function describeInvoking(context: () => { opened: SandboxUnderTest; sourceId: string }): void {
  it('runs with the event, and gives back emits and console lines in order', async () => {
    const { opened, sourceId } = context();
    const outcome = await invoke(opened, { component: emitter, sourceId, event: { n: 1 } }).outcome;
    expect(outcome).toMatchObject({ end: 'finished', dbWrites: [] });
    expect(outcome.emits).toEqual([
      { channel: '', event: { got: { n: 1 } } },
      { channel: 'named', id: 7, summary: 'a line', ts: 1700000000000, event: null },
    ]);
    expect(outcome.console.map(({ level, text }) => [level, text])).toEqual([
      ['log', 'first { a: 1 }'],
      ['error', 'second'],
    ]);
    expect(outcome.error).toBeUndefined();
    expect(outcome.durationMs).toBeGreaterThanOrEqual(0);
  });

  it('finishes a hook that the component does not have', async () => {
    const { opened, sourceId } = context();
    const outcome = await invoke(opened, { component: emitter, sourceId, what: 'deploy' }).outcome;
    expect(outcome).toMatchObject({ end: 'finished', emits: [] });
  });

  it('drops emits of a muted invocation', async () => {
    const { opened, sourceId } = context();
    const muted = await invoke(opened, { component: emitter, sourceId, muted: true }).outcome;
    expect(muted).toMatchObject({ end: 'finished', emits: [], emitsBytes: 0 });
    expect(muted.console).toHaveLength(2);
    expect((await invoke(opened, { component: emitter, sourceId }).outcome).emits).toHaveLength(2);
  });

  it('emits the sample on the default channel, and throws if the component has none', async () => {
    const { opened, sourceId } = context();
    const what = 'sample';
    const sample = await invoke(opened, { component: sampled, sourceId, what, props: { title: 'A title' } }).outcome;
    expect(sample).toMatchObject({ end: 'finished', console: [{ text: 'sampling' }] });
    expect(sample.emits).toEqual([{ channel: '', event: { title: 'A title' } }]);
    const withoutSample = await invoke(opened, { component: emitter, sourceId: `${sourceId}_none`, what }).outcome;
    expect(withoutSample).toMatchObject({
      end: 'threw',
      emits: [],
      error: { message: 'The component has no sampleEmit' },
    });
  });

  it('asks for the bundle only when it has to load, and ends as lost without one', async () => {
    const { opened, sourceId } = context();
    const order = { component: emitter, sourceId };
    const withoutBundle = invoke(opened, { ...order, bundle: () => Promise.reject(new Error('There is none')) });
    expect(await withoutBundle.outcome).toMatchObject({ end: 'lost', emits: [], dbWrites: [] });
    const cold = invoke(opened, order);
    expect(await cold.outcome).toMatchObject({ end: 'finished' });
    const warm = invoke(opened, order);
    expect(await warm.outcome).toMatchObject({ end: 'finished' });
    expect([withoutBundle.loads(), cold.loads(), warm.loads()]).toEqual([1, 1, 0]);
  });

  it('begins no invocation after its latest start, loaded or not', async () => {
    const { opened, sourceId } = context();
    const order = { component: emitter, sourceId };
    const late = (): StartedInvocation => invoke(opened, { ...order, beginBy: performance.now() - 1 });
    const first = late();
    expect(await first.outcome).toMatchObject({ end: 'lost', emits: [], console: [] });
    expect(first.dbRequests()).toBe(0);
    const inTime = invoke(opened, { ...order, beginBy: performance.now() + 60_000 });
    expect(await inTime.outcome).toMatchObject({ end: 'finished' });
    expect(await late().outcome).toMatchObject({ end: 'lost', emits: [], console: [] });
  });

  it('keeps what was emitted and written before a throw, and names the error', async () => {
    const { opened, sourceId } = context();
    const outcome = await invoke(opened, { component: thrower, sourceId }).outcome;
    expect(outcome).toMatchObject({
      end: 'threw',
      error: { name: 'RangeError', message: 'on purpose' },
      emits: [{ channel: '', event: 'before' }],
      dbWrites: [['before', 'true']],
    });
  });

  it('parses the body of a request from its text', async () => {
    const { opened, sourceId } = context();
    const event = {
      headers: { 'content-type': 'application/json' },
      bodyRaw: '{"a":[1]}',
      body: null,
      url: 'http://u/',
    };
    const { emits } = await invoke(opened, { component: emitter, sourceId, event, isHttp: true }).outcome;
    expect(emits[0]?.event).toEqual({ got: { ...event, body: { a: [1] } } });
  });

  it('shows no secret in console and error', async () => {
    const { opened, sourceId } = context();
    const event = { text: 'it is hunter22!' };
    const outcome = await invoke(opened, { component: tattler, sourceId, event, secrets: ['hunter22'] }).outcome;
    expect(outcome).toMatchObject({ end: 'threw', error: { message: 'it is [secret]!' } });
    expect(outcome.console.map(({ text }) => text)).toEqual(['it is [secret]!']);
  });

  it('reports the input and the error of a failed run, without secrets, when asked to', async () => {
    const { opened, sourceId } = context();
    const headers = { 'content-type': 'application/json', 'x-key': 'short' };
    const event = { text: 'it is hunter22!', headers, bodyRaw: '{"a":"hunter22"}', body: null };
    const request = { clearHeaders: ['content-type'], isKept: true };
    const telling = { runId: 'run_1', bytes: 0, request };
    const order = { component: tattler, sourceId, event, isHttp: true, secrets: ['hunter22'] };
    const { report, error } = await invoke(opened, { ...order, telling }).outcome;
    expect(report?.emit).toEqual({
      channel: '$errors',
      event: {
        original_event: {
          text: 'it is [secret]!',
          headers: { ...headers, 'x-key': '[secret]' },
          bodyRaw: '{"a":"[secret]"}',
          body: { a: '[secret]' },
        },
        error: { name: 'Error', message: error?.message, stack: error?.stack ?? `Error: ${error?.message}` },
        run_id: 'run_1',
      },
    });
    expect(report?.bytes).toBe(Buffer.byteLength(JSON.stringify(report?.emit.event)));
    const onlyBody = { event: { ...event, bodyRaw: '{"text":"a hunter22"}' }, onlyBody: true };
    const appOptions = { ...order, ...onlyBody, telling: { ...telling, request: { ...request, onlyBody: true } } };
    const reported = (await invoke(opened, appOptions).outcome).report?.emit.event;
    expect(reported).toMatchObject({ original_event: { text: 'a [secret]' } });
    expect(await invoke(opened, order).outcome).not.toHaveProperty('report');
    const fine = { component: emitter, sourceId: `${sourceId}b`, telling };
    expect(await invoke(opened, fine).outcome).not.toHaveProperty('report');
  });

  it('passes on only the first response, at once, while the run continues', async () => {
    const { opened, sourceId } = context();
    const { outcome, responses } = invoke(opened, { component: responder, sourceId });
    await waitUntil(() => responses.length > 0);
    await opened.sandbox.unload(sourceId);
    await outcome;
    const bodyBase64 = Buffer.from('made').toString('base64');
    expect(responses).toEqual([{ status: 201, headers: { 'x-a': 'b' }, bodyBase64 }]);
  });

  it('ends running invocations as lost when their source is unloaded', async () => {
    const { opened, sourceId } = context();
    const { outcome, responses } = invoke(opened, { component: responder, sourceId });
    await waitUntil(() => responses.length > 0);
    await opened.sandbox.unload(sourceId);
    expect(await outcome).toMatchObject({ end: 'lost', emits: [], dbWrites: [], console: [] });
  });

  it('ends an invocation that certainly kills its process as crashed, and keeps nothing of it', async () => {
    const { opened, sourceId } = context();
    const order = { component: crasher, sourceId };
    const ends = [];
    let outcome = await invoke(opened, order).outcome;
    for (; outcome.end === 'lost'; outcome = await invoke(opened, order).outcome) ends.push(outcome.end);
    expect(ends).toEqual(['lost']);
    expect(outcome).toMatchObject({ end: 'crashed', error: { name: 'CrashError' } });
    expect(outcome).toMatchObject({ emits: [], dbWrites: [], console: [] });
    expect(await invoke(opened, { component: emitter, sourceId }).outcome).toMatchObject({ end: 'finished' });
  }, 20_000);

  it('ends as lost an invocation still loading when its source is unloaded, and never begins it', async () => {
    const { opened, sourceId } = context();
    const { outcome } = invoke(opened, { component: keeper, sourceId, event: [['a', 'old']] });
    const hanging = invoke(opened, { component: responder, sourceId: `${sourceId}_hanging` });
    await Promise.all([opened.sandbox.unload(sourceId), opened.sandbox.unload(`${sourceId}_hanging`)]);
    expect(await hanging.outcome).toMatchObject({ end: 'lost' });
    await outcome;
    const next = await invoke(opened, { component: keeper, sourceId, event: [], db: { a: '"kept"' } }).outcome;
    expect(next.emits[0]?.event).toEqual({ a: 'kept', b: 'undefined' });
  });
}

function describeDb(context: () => { opened: SandboxUnderTest; sourceId: string }): void {
  it('starts from the given db and reports each write once', async () => {
    const { opened, sourceId } = context();
    const db = { a: '{"was":1}' };
    const first = await invoke(opened, { component: keeper, sourceId, db, event: [['b', [2]]] }).outcome;
    expect(first.emits[0]?.event).toEqual({ a: { was: 1 }, b: [2] });
    expect(first.dbWrites).toEqual([['b', '[2]']]);
    const second = await invoke(opened, { component: keeper, sourceId, event: [] }).outcome;
    expect(second.emits[0]?.event).toEqual({ a: { was: 1 }, b: [2] });
    expect(second.dbWrites).toEqual([]);
  });

  it('deletes a key that is set to undefined', async () => {
    const { opened, sourceId } = context();
    const outcome = await invoke(opened, { component: keeper, sourceId, db: { a: '1' }, event: [['a']] }).outcome;
    expect(outcome.emits[0]?.event).toEqual({ a: 'undefined', b: 'undefined' });
    expect(outcome.dbWrites).toEqual([['a', null]]);
  });

  it('shows a concurrent run the db at its start, and merges its writes at its end', async () => {
    const { opened, sourceId } = context();
    const order = { component: neighbour, sourceId, concurrent: true };
    const first = invoke(opened, { ...order, event: { keys: ['a'], text: 'first', waits: true } });
    await waitUntil(() => first.responses.length > 0);
    const second = await invoke(opened, { ...order, event: { keys: ['a', 'b'], text: 'second' } }).outcome;
    expect(second.emits[0]?.event).toEqual(['second', 'second']);
    expect(new Map(second.dbWrites)).toEqual(new Map(['a', 'b'].map((key) => [key, '"second"'])));
    const ended = await first.outcome;
    expect(ended.emits[0]?.event).toEqual(['first', null]);
    expect(ended.dbWrites).toEqual([['a', '"first"']]);
    const third = await invoke(opened, { ...order, event: { keys: [], text: '' }, concurrent: false }).outcome;
    expect(third.emits[0]?.event).toEqual(['first', 'second']);
    expect(third.dbWrites).toEqual([]);
  });

  it('runs queued runs in the same instance, in order, and ends them as lost without one', async () => {
    const { opened, sourceId } = context();
    const order = { component: keeper, sourceId };
    expect(await invoke(opened, { ...order, event: [['a', 1]], follows: true }).outcome).toMatchObject({
      end: 'lost',
    });
    await invoke(opened, { ...order, event: [['a', 0]] }).outcome;
    const outcomes = [1, 2, 3].map((n) => invoke(opened, { ...order, event: [['a', n]], follows: n > 1 }).outcome);
    expect((await Promise.all(outcomes)).map(({ emits, dbWrites }) => [emits[0]?.event, dbWrites])).toEqual(
      [1, 2, 3].map((n) => [{ a: n, b: 'undefined' }, [['a', String(n)]]]),
    );
  });

  it('asks for the db only when it has to load', async () => {
    const { opened, sourceId } = context();
    const order = { component: keeper, sourceId, event: [], db: { a: '1' } };
    const dbRequests: number[] = [];
    for (const revision of [1, 1, 2]) {
      const invoked = invoke(opened, { ...order, revision });
      await invoked.outcome;
      dbRequests.push(invoked.dbRequests());
    }
    await opened.sandbox.unload(sourceId);
    const reloaded = invoke(opened, { ...order, revision: 2 });
    expect((await reloaded.outcome).emits[0]?.event).toEqual({ a: 1, b: 'undefined' });
    expect([...dbRequests, reloaded.dbRequests()]).toEqual([1, 0, 1, 1]);
  });

  it('shows a waiting hook what a run of the same source sets meanwhile', async () => {
    const { opened, sourceId } = context();
    const activate = invoke(opened, { component: handshake, sourceId, what: 'activate' });
    const run = await invoke(opened, { component: handshake, sourceId, event: { secret: 's' } }).outcome;
    expect(run).toMatchObject({ end: 'finished', dbWrites: [['go', '"s"']] });
    expect(await activate.outcome).toMatchObject({ end: 'finished', emits: [{ event: 's' }], dbWrites: [] });
  });
}
