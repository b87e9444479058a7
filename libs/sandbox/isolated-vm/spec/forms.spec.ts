// Components answer forms with options of props and their context, and with the props that additionalProps adds.
import type { Json, JsonObject } from '../../../domain/json.ts';
import type { InvocationOutcome } from '../../sandbox.ts';
import { IsolatedVmSandbox } from '../isolated-vm-sandbox.ts';
import { cacheDir, describeCode, invoke } from './harness.ts';

let sandbox: IsolatedVmSandbox;
beforeAll(async () => {
  sandbox = await IsolatedVmSandbox.start({ runners: 1, cacheDir });
});
afterAll(() => sandbox.close());

const app = `const app = {
  type: 'app', app: 'shop',
  propDefinitions: {
    project: { type: 'integer', label: 'Project', async options({ page, prevContext: { cursor }, query, group }) {
      return { options: this.list(page, group).map((value) => ({ label: 'P' + value, value })), context: { cursor: (cursor ?? 0) + 1, query } };
    } },
    closer: { propDefinition: [{ ...base }, 'far', ({ group }) => ({ group, near: true })], description: 'Closer' },
    circle: { propDefinition: [{ get propDefinitions() { return app.propDefinitions; } }, 'circle'] },
  },
  methods: { list(page, group = 'none') { return [page, group, typeof this.run]; } },
};`;
const base = `const base = { type: 'app', app: 'shop', propDefinitions: { far: { type: 'string', options(asked) { return [JSON.stringify(asked), this.who()]; } } }, methods: { who() { return 'base'; } } };`;
const component = (props: string, more = ''): string =>
  `${base} ${app} module.exports = { name: 'Form', version: '1', props: { app, ${props} }, ${more} run() {} };`;

interface OptionsRequest {
  readonly propName?: string;
  readonly page?: number;
  readonly prevContext?: Json;
  readonly query?: string;
}

const configure = (code: string, asked: OptionsRequest, order: object = {}): Promise<InvocationOutcome> =>
  invoke(sandbox, code, { what: 'configure', event: { propName: 'p', page: 0, prevContext: {}, ...asked }, ...order });

async function formAnswer(outcome: Promise<InvocationOutcome>): Promise<unknown> {
  const { error, emits } = await outcome;
  expect(error).toBeUndefined();
  expect(emits).toHaveLength(1);
  return emits[0]?.event;
}

describe('options', () => {
  it('of a propDefinition get page, context, query and the result of its function, with the app as this', async () => {
    const code = component(`group: 'string', p: { propDefinition: [app, 'project', (c) => ({ group: c.group })] }`);
    const request = { page: 2, prevContext: { cursor: 4 }, query: 'x' };
    expect(await formAnswer(configure(code, request, { props: { group: 'g' } }))).toEqual({
      options: [
        { label: 'P2', value: 2 },
        { label: 'Pg', value: 'g' },
        { label: 'Pundefined', value: 'undefined' },
      ],
      context: { cursor: 5, query: 'x' },
    });
  });

  it('come through a chain of propDefinitions, whose contexts are merged', async () => {
    const code = component(`p: { propDefinition: [app, 'closer', () => ({ group: 'of it' })], optional: true }`);
    expect(await formAnswer(configure(code, {}))).toEqual({
      options: [JSON.stringify({ page: 0, prevContext: {}, group: 'of it', near: true }), 'base'],
    });
  });

  it.each<[string, string, unknown]>([
    ['a list', `['a', 'b']`, { options: ['a', 'b'] }],
    ['a plain function', `() => [1, 2]`, { options: [1, 2] }],
    ['a function that returns nothing', `async () => {}`, { options: [] }],
    ['a function of the component', `function () { return [this.own(), this.group]; }`, { options: ['own', 'g'] }],
    ['a function that emits', `function () { this.$emit(1); return []; }`, { options: [] }],
  ])('may be %s', async (_name, options, expected) => {
    const code = component(
      `group: 'string', p: { type: 'string', options: ${options} }`,
      `methods: { own: () => 'own' },`,
    );
    expect(await formAnswer(configure(code, {}, { props: { group: 'g' } }))).toEqual(expected);
  });

  it.each<[string, string, RegExp]>([
    ['there are none', `'string'`, /Prop p has no options/],
    ['they are no list', `{ type: 'string', options: () => 7 }`, /options of prop p must be a list/],
    [
      'they are too large',
      `{ type: 'string', options: () => ['x'.repeat(600_000)] }`,
      /options of prop p have 6000\d\d bytes/,
    ],
    ['they throw', `{ type: 'string', async options() { throw new RangeError('not today'); } }`, /not today/],
    ['a reference leads in a circle', `{ propDefinition: [app, 'circle'] }`, /through more than 8 others: a circle/],
  ])('are refused when %s', async (_name, prop, message) => {
    const outcome = await configure(component(`p: ${prop}`), {});
    expect(outcome).toMatchObject({
      end: 'threw',
      emits: [],
      error: { message: expect.stringMatching(message) as string },
    });
  });

  it('that refer to each other in a circle make the component invalid', async () => {
    const described = await describeCode(sandbox, component(`p: { propDefinition: [app, 'circle'] }`));
    const message = expect.stringMatching(/Prop p: .* through more than 8 others: a circle/) as string;
    expect(described).toMatchObject({ kind: 'invalid', error: { name: 'TypeError', message } });
  });

  it('that never settle end at the time limit', async () => {
    const code = component(`p: { type: 'string', options: () => new Promise(() => {}) }`);
    expect(await configure(code, {}, { runTimeoutMs: 200 })).toMatchObject({ end: 'timed_out', emits: [] });
  });
});

describe('additionalProps', () => {
  const adding = (body: string): string =>
    component(
      `repo: { type: 'string', reloadProps: true }, later: { type: 'string', hidden: true }`,
      `methods: { async isAdmin() { return this.repo === 'mine'; } }, async additionalProps(before) { ${body} },`,
    );
  const props = async (code: string, values: JsonObject): Promise<unknown> =>
    formAnswer(invoke(sandbox, code, { what: 'props', props: values }));

  it('can add an interface, shorthands and inherited props, and change other props', async () => {
    const code = adding(`
      before.later.hidden = false;
      const timer = { type: '$.interface.timer', default: { intervalSeconds: 60 } };
      return { later: before.later, ...((await this.isAdmin()) ? { http: '$.interface.http' } : { timer }),
        project: { propDefinition: [app, 'project'] }, spread: { ...app.propDefinitions.project, label: 'Spread' }, remote: { type: 'string', options: async () => [this.repo] }, gone: undefined };`);
    const repo = { name: 'repo', type: 'string', reloadProps: true };
    const always = [{ name: 'app', type: 'app', app: 'shop' }, repo, { name: 'later', type: 'string', hidden: false }];
    const after = [
      { name: 'project', type: 'integer', label: 'Project', remoteOptions: true, dynamic: true },
      { name: 'spread', type: 'integer', label: 'Spread', remoteOptions: true, dynamic: true },
      { name: 'remote', type: 'string', remoteOptions: true, dynamic: true },
    ];
    const http = { name: 'http', type: '$.interface.http', dynamic: true };
    expect(await props(code, { repo: 'mine' })).toEqual({ props: [...always, http, ...after] });
    const timer = { name: 'timer', type: '$.interface.timer', default: { intervalSeconds: 60 }, dynamic: true };
    expect(await props(code, { repo: 'yours' })).toEqual({ props: [...always, timer, ...after] });
    const outcome = configure(code, { propName: 'remote' }, { props: { repo: 'mine' } });
    expect(await formAnswer(outcome)).toEqual({ options: ['mine'] });
    expect(await props(code, { repo: 'mine' })).toMatchObject({ props: [{}, {}, { hidden: false }, {}, {}, {}, {}] });
  });

  it('sees values of the props it added, and run has these props with the features of their types', async () => {
    const code = adding(`return { seen: { type: 'string', default: this.extra } };`).replace(
      'run() {}',
      `async run() { this.$emit([this.extra, typeof this.http.respond, this.http.endpoint, typeof this.db.get]); }`,
    );
    const seen = { name: 'seen', type: 'string', default: 'e', dynamic: true };
    expect(await props(code, { extra: 'e' })).toMatchObject({ props: [{}, {}, {}, seen] });
    const values = { extra: 'e', http: { endpoint: 'http://e' } };
    const addedProps = { http: '$.interface.http', db: '$.service.db', extra: 'string' };
    const { emits } = await invoke(sandbox, code, { props: values, addedProps });
    expect(emits[0]?.event).toEqual(['e', 'function', 'http://e', 'function']);
  });

  it.each<[string, string, RegExp]>([
    ['returns a list', `return [];`, /must return an object/],
    ['throws', `throw new Error('no rights');`, /no rights/],
  ])('that %s gives that error', async (_name, body, message) => {
    const outcome = await invoke(sandbox, adding(body), { what: 'props' });
    expect(outcome).toMatchObject({
      end: 'threw',
      emits: [],
      error: { message: expect.stringMatching(message) as string },
    });
  });
});
