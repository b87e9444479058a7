// `this` is as real components expect (docs/reference/component-api.md, "The component's `this`"), and $emit and db
// accept their arguments.
import { IsolatedVmSandbox } from '../isolated-vm-sandbox.ts';
import { defaultLimits } from '../sandbox-limits.ts';
import { cacheDir, describeCode, invoke, source } from './harness.ts';

let sandbox: IsolatedVmSandbox;
const guest = {
  emitBytes: 1_000,
  emitsMax: 50,
  emittedBytesMax: 10_000,
  responseBodyBytes: 10_000,
  consoleBytes: 2_000,
};
const dbLimits = { dbValueBytes: 100, dbBytes: 1_000, dbWritesMax: 100, timersMax: 50 };
beforeAll(async () => {
  const limits = { guest: { ...defaultLimits.guest, ...guest, ...dbLimits } };
  sandbox = await IsolatedVmSandbox.start({ runners: 1, cacheDir, limits });
});
afterAll(() => sandbox.close());

async function emittedBy(code: string, order = {}): Promise<unknown> {
  const outcome = await invoke(sandbox, code, order);
  expect(outcome.error).toBeUndefined();
  return outcome.emits.map(({ event }) => event);
}

describe('this', () => {
  it('has methods that also work when detached, and can call each other', async () => {
    const code = source(
      `const { twice, $emit, db: { set, get } } = this; set('k', 1); $emit([1, 2].map(twice)); $emit(get('k')); await Promise.all([3].map($emit));`,
    ).replace('props:', 'methods: { one() { return 1; }, twice(n) { return n * 2 * this.one(); } }, props:');
    expect(await emittedBy(code)).toEqual([[2, 4], 1, 3]);
  });

  it("has a method named run instead of the component's run, and no hooks", async () => {
    const code = source(`this.$emit([this.run(), typeof this.activate, typeof this.hooks])`).replace(
      'props:',
      `hooks: { activate() {} }, methods: { run() { return 'method'; } }, props:`,
    );
    expect(await emittedBy(code)).toEqual([['method', 'undefined', 'undefined']]);
  });

  it('has app props with bound methods and an empty $auth', async () => {
    const app = `const app = { type: 'app', app: 'x', methods: { key() { return this.$auth.key ?? 'none'; }, both(x) { return [x, this.key()]; } } }; `;
    const code = source(
      `const { both } = this.app; this.$emit([both(1), this.app.$auth, app.methods.key.call({ $auth: { key: 'raw' } })])`,
      app,
    ).replace('props: {', 'props: { app: { ...app, methods: { ...app.methods } },');
    expect(await emittedBy(code)).toEqual([[[1, 'none'], {}, 'raw']]);
  });

  it('has the credentials of the account of an app prop, frozen, also in methods, and masks them', async () => {
    const app = `const app = { type: 'app', app: 'x', methods: { key() { return this.$auth.key + this.$auth.url; } } }; `;
    const code = source(
      `const { $auth } = this.app; $auth.key = 'other'; console.log(this.app.key()); this.$emit([this.app.key(), this.app === $auth, Object.isFrozen($auth)])`,
      app,
    ).replace('props: {', 'props: { app,');
    const auth = { key: 'hush-hush', url: '/v1' };
    const props = { app: { authProvisionId: 'apn_1', auth } };
    expect(await emittedBy(code, { props, secrets: ['hush-hush'] })).toEqual([['hush-hush/v1', false, true]]);
  });

  it('has the props that are set, and can be given other fields', async () => {
    const code = source(
      `this.own = 1; this.$emit([this.count, 'unset' in this, this.http.endpoint, this.timer.intervalSeconds, this.own])`,
    ).replace('props: {', `props: { count: 'integer', unset: 'string', timer: '$.interface.timer',`);
    const props = { count: 5, http: { endpoint: 'http://e' }, timer: { intervalSeconds: 60 } };
    expect(await emittedBy(code, { props })).toEqual([[5, false, 'http://e', 60, 1]]);
  });

  it('has methods named like hooks, but not the hooks themselves', async () => {
    const code = source('').replace(
      'props:',
      `methods: { activate: () => 'method', deactivate: () => 'other' },
      hooks: { activate() { this.$emit([this.activate(), this.deactivate(), typeof this.deploy]); }, deploy() {} }, props:`,
    );
    expect(await emittedBy(code, { what: 'activate' })).toEqual([['method', 'other', 'undefined']]);
  });

  it("has an app's methods as the component overrides them, also for calls from the app's other methods", async () => {
    const app = `const common = { type: 'app', app: 'x', methods: { base: () => 'a', url() { return this.base() + this.path(); }, path: () => '/' } };
      const app = { ...common, methods: { ...common.methods, base: () => 'b' } }; `;
    const code = source(`this.$emit([this.app.url(), common.methods.base()])`, app).replace(
      'props: {',
      `props: { app: { ...app, methods: { ...app.methods, path: () => '/own' } },`,
    );
    expect(await emittedBy(code)).toEqual([['b/own', 'a']]);
  });

  it('can be passed to hooks of another component, called or bound', async () => {
    const code = source('').replace(
      'props:',
      `hooks: { async deploy() { await common.hooks.deploy.call(this); await common.hooks.deploy.bind(this)(); } }, props:`,
    );
    const common = `const common = { hooks: { deploy() { this.$emit('shared'); } } }; `;
    expect(await emittedBy(common + code, { what: 'deploy' })).toEqual(['shared', 'shared']);
  });

  it('has parts that also work when detached, at any depth', async () => {
    const app = `const base = { methods: { async *pages() { for (const n of this.numbers()) yield n; }, numbers: () => [1, 2] } };
      const app = { type: 'app', app: 'x', ...base, propDefinitions: { p: { type: 'string' } }, methods: { ...base.methods, all(fn) { return fn(); } } }; `;
    const code = source(
      `const { $emit: emit, http: { endpoint }, app: { all, pages } } = this;
      for await (const page of pages()) [page].forEach((n) => emit(n));
      emit([await all(this.collect), endpoint, Object.keys(app.propDefinitions), app.methods.numbers()]);`,
      app,
    ).replace(
      'props: {',
      'methods: { async collect() { const seen = []; for await (const n of this.app.pages()) seen.push(n); return seen; } }, props: { app,',
    );
    const props = { http: { endpoint: 'http://e' } };
    expect(await emittedBy(code, { props })).toEqual([1, 2, [[1, 2], 'http://e', ['p'], [1, 2]]]);
  });

  it('is shared by a run and what it calls, and new for the next run', async () => {
    const code = source(
      `this.seen ??= 0; this.seen++; this.app.mark = this.seen; this.$emit([this.seen, this.count(), this.app.mark]);`,
    ).replace(
      'props: {',
      `methods: { count() { return ++this.seen; } }, props: { app: { type: 'app', app: 'x', methods: {} },`,
    );
    const order = { sourceId: 'dc_own_fields' };
    expect(await emittedBy(code, order)).toEqual([[1, 2, 1]]);
    expect(await emittedBy(code, order)).toEqual([[1, 2, 1]]);
  });

  it('can be passed to the run of another component, bound or called', async () => {
    const common = `const common = { methods: { who() { return this.name; } }, run(event) { this.$emit([this.who(), event.n]); } }; `;
    const code = source(
      'await common.run.call(this, event); common.run.bind(this)({ n: event.n + 1 });',
      common,
    ).replace('props:', `methods: { ...common.methods, who() { return 'own'; } }, props:`);
    expect(await emittedBy(code, { event: { n: 1 } })).toEqual([
      ['own', 1],
      ['own', 2],
    ]);
  });

  it('sees only its own environment variable', async () => {
    const code = source(`this.$emit([process.env, typeof process.version])`);
    expect(await emittedBy(code, { sourceId: 'dc_env' })).toEqual([[{ PD_COMPONENT: 'dc_env' }, 'string']]);
  });

  it('lets run destructure an event without the fields it names', async () => {
    const code = `export default { name: 'a', version: '1', run({ $, headers }) { this.$emit([typeof $, typeof headers]); } }`;
    expect(await emittedBy(code)).toEqual([['undefined', 'undefined']]);
    expect(await emittedBy(code, { event: null })).toEqual([['undefined', 'undefined']]);
  });
});

describe('$emit', () => {
  it('converts ts and delivery_ts from all forms that components pass, and ignores invalid times', async () => {
    const passed = `[1700000000123, new Date(5), '2020-01-01T00:00:00Z', 1700000000, '1700000000.000100', '1700000000000', NaN, 'soon', {}, null, new Date(NaN), 12]`;
    const { emits } = await invoke(
      sandbox,
      source(`for (const ts of ${passed}) this.$emit(1, { ts, delivery_ts: ts })`),
    );
    const [iso, seconds, slack] = [1577836800000, 1700000000000, 1700000000000];
    const expected = [1700000000123, 5, iso, seconds, slack, 1700000000000, ...Array(5).fill(undefined), 12];
    expect(emits.map(({ ts }) => ts)).toEqual(expected);
    expect(emits.map(({ deliveryTs }) => deliveryTs)).toEqual(expected);
  });

  it('keeps numbers and texts as ids, takes the text of other values, and treats undefined as absent', async () => {
    const { emits } = await invoke(
      sandbox,
      source(
        `this.$emit(undefined, { id: 5 }); this.$emit(() => 1, { id: 'x', name: undefined }); this.$emit({ a: undefined, d: new Date(0) }, { id: new Date(5), summary: 9 }); this.$emit(1, null); this.$emit(2, { id: 7n, name: 5 })`,
      ),
    );
    expect(emits).toEqual([
      { channel: '', id: 5, event: null },
      { channel: '', id: 'x', event: null },
      {
        channel: '',
        id: expect.stringMatching(/^Thu Jan 01 1970/),
        summary: '9',
        event: { d: '1970-01-01T00:00:00.000Z' },
      },
      { channel: '', event: 1 },
      { channel: '5', id: '7', event: 2 },
    ]);
  });

  it.each(['{ a: 1 }', 'true', 'NaN', 'Symbol("x")', '() => 1', 'Object.create(null)', 'new Map()'])(
    'treats the id %s as absent, since it tells no event from another, and says so once',
    async (id) => {
      const { end, emits, console } = await invoke(
        sandbox,
        source(`for (const n of [1, 2]) this.$emit(n, { id: ${id} })`),
      );
      expect({ end, emits }).toEqual({ end: 'finished', emits: [1, 2].map((event) => ({ channel: '', event })) });
      expect(console).toMatchObject([
        { level: 'warn', text: expect.stringMatching(/^\$emit: .* is no id: the event has none/) },
      ]);
    },
  );

  it.each(['"tomorrow"', 'NaN', '1e20', '{}', 'new Date(NaN)'])(
    'treats the delivery_ts %s as absent, since it is no time, and says so once',
    async (at) => {
      const { emits, console } = await invoke(
        sandbox,
        source(
          `this.$emit(0, { ts: ${at}, delivery_ts: null }); for (const n of [1, 2]) this.$emit(n, { delivery_ts: ${at} })`,
        ),
      );
      expect(emits).toEqual([0, 1, 2].map((event) => ({ channel: '', event })));
      expect(console).toMatchObject([
        {
          level: 'warn',
          text: expect.stringMatching(/^\$emit: the delivery_ts is no time: the event is emitted at once/),
        },
      ]);
    },
  );

  it.each([
    ['an event that is too large', `this.$emit('é'.repeat(500))`, /1002 bytes of JSON, 1000 are allowed/],
    ['more events than a run may emit', `for (let i = 0; i < 51; i++) this.$emit(i)`, /one run may emit 50 events/],
    [
      'more bytes than a run may emit',
      `for (let i = 0; i < 20; i++) this.$emit('x'.repeat(900))`,
      /one run may emit 10000 bytes/,
    ],
    ['an id that is too long', `this.$emit(1, { id: 'x'.repeat(1025) })`, /id has 1025 characters/],
    ['a channel that is too long', `this.$emit(1, { name: 'x'.repeat(256) })`, /name has 256 characters, 255 are/],
    ['a channel that is no text', `this.$emit(1, { name: { a: 1 } })`, /name is text, not a value of type object/],
    ['a channel of the service', `this.$emit(1, { name: '$errors' })`, /names that begin with \$ are for the service/],
  ])('refuses %s, keeps the others, and says so', async (_name, body, message) => {
    const outcome = await invoke(sandbox, source(`this.$emit('kept'); ${body}`));
    expect(outcome).toMatchObject({
      end: 'threw',
      error: { name: 'LimitError', message: expect.stringMatching(message) },
    });
    expect(outcome.emits[0]?.event).toBe('kept');
    expect(outcome.console.at(-1)).toMatchObject({ level: 'error', text: expect.stringMatching(/^Event dropped: /) });
  });

  it('returns a promise, and accepts the ids and times that real components give', async () => {
    const { emits, error } = await invoke(
      sandbox,
      source(
        `const given = this.$emit({ a: 1 }, { id: 1e21, ts: '2024-01-02' }); await given.then(() => this.$emit({ promised: given instanceof Promise }, { id: new Date(0).toISOString(), name: null, ts: '' }));`,
      ),
    );
    expect(error).toBeUndefined();
    expect(emits).toEqual([
      { channel: '', id: 1e21, ts: Date.parse('2024-01-02'), event: { a: 1 } },
      { channel: '', id: '1970-01-01T00:00:00.000Z', event: { promised: true } },
    ]);
  });

  it('throws in the component for an event that cannot be JSON', async () => {
    const outcome = await invoke(sandbox, source(`const a = {}; a.a = a; this.$emit(a)`));
    expect(outcome).toMatchObject({ end: 'threw', error: { name: 'TypeError' }, emits: [] });
  });

  it('is kept until the last microtask of the turn in which the run ends, and ignored afterwards', async () => {
    const body = `[1, 2].forEach(async (n) => { await null; await null; await null; this.$emit(n); }); setTimeout(() => this.$emit('late'), 5);`;
    const code = source(body);
    const first = await invoke(sandbox, code, { sourceId: 'dc_late' });
    expect(first.emits.map(({ event }) => event)).toEqual([1, 2]);
    const second = await invoke(sandbox, code.replace('late', 'later'), { sourceId: 'dc_late2' });
    expect(second.emits.map(({ event }) => event)).toEqual([1, 2]);
  });
});

describe('$.interface.apphook', () => {
  const app = `const app = { type: 'app', app: 'slack', methods: { kind: () => 'message' } }; `;
  const code = (eventNames: string, run = ''): string =>
    source(run, app).replace(
      'props: {',
      `methods: { first() { return this.app.kind(); } }, props: { app, channels: 'string[]', hook: { type: '$.interface.apphook', appProp: 'app', ${eventNames} },`,
    );
  const asking = `async eventNames() { this.$emit('nothing'); return [this.first(), ...(this.channels ?? [])]; }`;

  it('has its event names read by a method call on the component, before its hooks', async () => {
    const described = await describeCode(sandbox, code(asking));
    expect(described).toMatchObject({ kind: 'described', manifest: { hooks: ['event_names'] } });
    const { props } = described.kind === 'described' ? described.manifest : { props: [] };
    expect(props.find(({ name }) => name === 'hook')).toEqual({
      name: 'hook',
      type: '$.interface.apphook',
      appProp: 'app',
      remoteEventNames: true,
    });
    const order = { what: 'event_names', props: { channels: ['C1'] } } as const;
    expect(await emittedBy(code(asking), order)).toEqual([['message', 'C1']]);
    const listed = await describeCode(sandbox, code(`eventNames: ['a']`));
    expect(listed).toMatchObject({ manifest: { hooks: [] } });
  });

  it('gives run only the body, and fails with a message when that is not JSON', async () => {
    const run = code(asking, `this.$emit([event.type ?? null, event.headers ?? null])`);
    const order = (bodyRaw: string, bytes: object = {}): object => ({
      event: { method: 'POST', headers: {}, bodyRaw, ...bytes, body: null },
      isHttp: true,
      onlyBody: true,
    });
    expect(await emittedBy(run, order('{"type":"message"}'))).toEqual([['message', null]]);
    expect(await emittedBy(run, order(''))).toEqual([[null, null]]);
    for (const wrong of [order('type=message'), order('', { bodyBase64: '/w==' })]) {
      const failed = await invoke(sandbox, run, wrong);
      expect(failed).toMatchObject({ end: 'threw', error: { message: expect.stringContaining('is not JSON') } });
    }
  });
});

describe('db', () => {
  it('may be awaited, keeps null, and removes keys set to undefined', async () => {
    const code = source(`await this.db.set('a', null); await this.db.set('b', 1); await this.db.set('b', undefined);
      const { get } = this.db; this.$emit([await get('a'), typeof get('b'), typeof (await get('c'))]);`);
    const { emits, dbWrites } = await invoke(sandbox, code);
    expect(emits[0]?.event).toEqual([null, 'undefined', 'undefined']);
    expect(dbWrites).toEqual([
      ['a', 'null'],
      ['b', null],
    ]);
  });

  it('keeps JSON, not references, and bounds each value and their total size', async () => {
    const code =
      source(`const o = { n: [1], d: new Date(0) }; this.db.set('o', o); o.n.push(2); const got = this.db.get('o'); got.n.push(9);
      const tried = (f) => { try { f(); return 'fine'; } catch (e) { return [e.name, e.message]; } };
      const large = tried(() => this.db.set('v', 'x'.repeat(99)));
      const many = tried(() => { for (let i = 0; i < 20; i++) this.db.set('k' + i, 'x'.repeat(90)); });
      this.$emit([this.db.get('o'), large, many, this.db.get('none') === undefined, this.db.get('k3').length]);`);
    const outcome = await invoke(sandbox, code);
    expect(outcome.emits[0]?.event).toEqual([
      { n: [1], d: '1970-01-01T00:00:00.000Z' },
      ['LimitError', 'db.set: the value of v is larger than 100 bytes of JSON'],
      ['LimitError', expect.stringMatching(/^db.set: with k\d+ the db would be larger than 1000 bytes$/)],
      true,
      90,
    ]);
    expect(outcome.dbWrites.map(([key]) => key)).toEqual(['o', ...Array.from({ length: 9 }, (_, at) => `k${at}`)]);
  });
});

describe('console', () => {
  it('is cut at its limit with a notice, once', async () => {
    const { console } = await invoke(
      sandbox,
      source(`for (let i = 0; i < 5000; i++) console.log('line', i, 'é'.repeat(20))`),
    );
    expect(console.at(-1)).toMatchObject({ level: 'warn', text: 'Console output was cut at 2000 bytes' });
    expect(console.filter(({ text }) => text.startsWith('Console output'))).toHaveLength(1);
    const bytes = console.slice(0, -1).reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
    expect(bytes).toBeGreaterThan(1_000);
    expect(bytes).toBeLessThanOrEqual(2_000);
  });

  it('has a line for each call, formatted and indented', async () => {
    const { console } = await invoke(
      sandbox,
      source(
        `console.group('g'); console.info('%s is %d', 'a', 1, { b: [1] }); console.groupEnd(); console.debug(null, undefined); console.assert(false, 'no'); console.count(); console.table([1]); console.dir({ a: 1 })`,
      ),
    );
    expect(console.map(({ level, text }) => [level, text])).toEqual([
      ['log', 'g'],
      ['info', '  a is 1 { b: [ 1 ] }'],
      ['debug', 'null undefined'],
      ['error', 'Assertion failed: no'],
      ['log', 'default: 1'],
      ['log', expect.stringMatching(/^┌─+┬─+┐\n│ \(index\) │ Values │\n├─+┼─+┤\n│ 0 {7}│ 1 {6}│\n└─+┴─+┘$/)],
      ['log', '{ a: 1 }'],
    ]);
  });
});
