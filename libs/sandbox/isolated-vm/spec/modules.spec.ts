// Both module formats load, and faults of a component are reported at the positions in its author's source.
import { IsolatedVmSandbox } from '../isolated-vm-sandbox.ts';
import { cacheDir, describeCode, invoke, source } from './harness.ts';

let sandbox: IsolatedVmSandbox;
beforeAll(async () => (sandbox = await IsolatedVmSandbox.start({ runners: 1, cacheDir })));
afterAll(() => sandbox.close());

const esm = (run: string, before = ''): string =>
  `${before}export default {\n  name: 'a',\n  version: '1',\n  async run(event) {\n    ${run}\n  },\n};\n`;

describe('module forms', () => {
  it.each([
    [
      'CommonJS',
      source('this.$emit(createHash("md5").update("a").digest("hex"))', 'const { createHash } = require("crypto"); '),
    ],
    [
      'an ES module',
      esm('this.$emit(createHash("md5").update("a").digest("hex"))', 'import { createHash } from "node:crypto";\n'),
    ],
    [
      'an ES module with default import',
      esm('this.$emit(c.createHash("md5").update("a").digest("hex"))', 'import c from "crypto";\n'),
    ],
    [
      'exports.default',
      source('this.$emit("0cc175b9c0f1b6a831c399e269772661")').replace('module.exports =', 'exports.default ='),
    ],
    [
      'an import that happens later',
      esm('this.$emit((await import("node:crypto")).createHash("md5").update("a").digest("hex"))'),
    ],
  ])('loads %s', async (_name, code) => {
    expect(await describeCode(sandbox, code)).toMatchObject({ kind: 'described' });
    const outcome = await invoke(sandbox, code);
    expect(outcome.error).toBeUndefined();
    expect(outcome.emits[0]?.event).toBe('0cc175b9c0f1b6a831c399e269772661');
  });

  it('lets undeclared variables be global, as old components expect', async () => {
    const outcome = await invoke(
      sandbox,
      esm('for (item of [1, 2]) total = (globalThis.total ?? 0) + item; this.$emit(total);'),
    );
    expect(outcome).toMatchObject({ end: 'finished', emits: [{ event: 3 }] });
  });

  it('may begin with a line for a shell, which does not move positions', async () => {
    const { error, emits } = await invoke(sandbox, `#!/usr/bin/env node\n${source('this.$emit(1);\nnull.x;')}`);
    expect({ emits: emits.map(({ event }) => event), line: error?.line }).toEqual({ emits: [1], line: 5 });
  });

  it('has a place in import.meta, as CommonJS has in __filename', async () => {
    const body =
      'this.$emit([import.meta.url, import.meta.filename, import.meta.dirname, typeof createRequire(import.meta.url)("path").join]);';
    const { emits } = await invoke(sandbox, esm(body, 'import { createRequire } from "node:module";\n'));
    expect(emits[0]?.event).toEqual(['file:///component.js', '/component.js', '/', 'function']);
  });

  it('has defineComponent', async () => {
    const code = 'export default defineComponent({ name: "a", version: "1", run() {} })';
    expect(await describeCode(sandbox, code)).toMatchObject({ kind: 'described' });
  });

  it('describes every field of a prop that clients show', async () => {
    const fields = { withLabel: true, useQuery: true, format: 'file-ref', min: 1, hidden: false };
    const notice = { type: 'alert', alertType: 'warning', content: '**Mind**' };
    const folder = { type: 'dir', accessMode: 'read-write', sync: true, optional: true };
    const props = JSON.stringify({ city: { type: 'string', ...fields, odd: 1 }, notice, folder });
    const described = await describeCode(sandbox, source('').replace('props: {', `props: { ...${props},`));
    expect(described).toMatchObject({
      kind: 'described',
      manifest: {
        props: expect.arrayContaining([
          { name: 'city', type: 'string', ...fields },
          { name: 'notice', ...notice },
          { name: 'folder', ...folder },
        ]),
      },
    });
  });

  it('refuses a second endpoint', async () => {
    const code = source('').replace('props: {', "props: { other: '$.interface.http',");
    const message = 'Props "other" and "http" are both of type $.interface.http; a source has one';
    expect(await describeCode(sandbox, code)).toMatchObject({ error: { message } });
  });

  it('returns what a module prints while it is described', async () => {
    const described = await describeCode(sandbox, source('', 'console.warn("at load", 1); '));
    expect(described).toMatchObject({ kind: 'described', console: [{ level: 'warn', text: 'at load 1' }] });
    const outcome = await invoke(sandbox, source('console.log("at run")', 'console.warn("at load", 1); '));
    expect(outcome.console.map(({ text }) => text)).toEqual(['at load 1', 'at run']);
  });
});

describe('TypeScript', () => {
  const typed = (run: string, before = ''): string =>
    `${before}export default {\n  name: 'a' as const,\n  version: '1',\n  async run(this: any, event: unknown): Promise<void> {\n    ${run}\n  },\n};\n`;

  it.each([
    [
      'types, enums and parameter properties',
      typed(
        'this.$emit(new Counter<Level>(Level.High).of satisfies number as unknown)',
        'enum Level { Low, High }\nclass Counter<T extends number> { constructor(readonly of: T) {} }\ninterface Unused { a: string }\n',
      ),
      1,
    ],
    [
      'imports of types, from wherever',
      typed(
        'const said: Said = { text: "hi" }; this.$emit(said.text)',
        'import type { Nobody } from "./nowhere";\nimport { type Other } from "not-there";\nimport { Said } from "@pipedream/types";\n',
      ),
      'hi',
    ],
    [
      'what is JavaScript too, as that',
      source('const [a, b, c] = [1, 2, 0]; this.$emit([a < b, c > (0)])'),
      [true, false],
    ],
  ])('%s', async (_what, code, emitted) => {
    expect(await describeCode(sandbox, code)).toMatchObject({ kind: 'described' });
    const outcome = await invoke(sandbox, code);
    expect(outcome.error).toBeUndefined();
    expect(outcome.emits[0]?.event).toEqual(emitted);
  });

  it('maps positions to its source, in stacks and in refusals', async () => {
    const thrown = await invoke(
      sandbox,
      typed('const a: number = 1;\n    throw new TypeError(`no ${a}`);', 'type A = 1;\n'),
    );
    expect(thrown.error).toMatchObject({ name: 'TypeError', message: 'no 1', line: 7, column: 11 });
    const refusals: readonly (readonly [string, string, number])[] = [
      ['type A = 1;\nconst a: A = %%;', 'SyntaxError', 2],
      ['type A = 1;\n\nimport a from "./a.js";\nexport default a;', 'ImportError', 3],
      ['const a = 1;\nconst b = %%;\ntype A = 1;', 'SyntaxError', 2],
    ];
    for (const [code, name, line] of refusals)
      expect(await describeCode(sandbox, code)).toMatchObject({ kind: 'invalid', error: { name, line } });
  });
});

describe('refusals', () => {
  it.each([
    ['a syntax error', 'export default {\n  name: "é" %%\n}', 'SyntaxError', /Unexpected/, [2, 14]],
    ['another file', 'import a from "./a.mjs"', 'ImportError', /No file of the component is ".\/a.mjs"/, [1, 15]],
    [
      'await at the top level',
      'export default {};\nawait 1;',
      'SyntaxError',
      /^Top-level await is not available to components: await in run/,
      [2, 1],
    ],
    [
      'a throw while it loads',
      '\nconst a = () => { throw new RangeError("no") };\nexport default a();',
      'RangeError',
      /^no$/,
      [2, 25],
    ],
    ['a missing global', 'export default missing', 'ReferenceError', /missing is not defined/, [1, 16]],
  ])('names line and column of %s', async (...[, code, name, message, [line, column]]) => {
    const described = await describeCode(sandbox, code);
    expect(described).toMatchObject({
      kind: 'invalid',
      error: { name, message: expect.stringMatching(message), line, column },
    });
  });

  it('says before the advice of a package that native code cannot be loaded, where it looked for some', async () => {
    const load = (name: string): string =>
      `try { require(${JSON.stringify(`@img/${name}`)}.slice()); } catch { throw new Error('Install it again'); }`;
    const messageOf = async (name: string): Promise<unknown> => {
      const described = await describeCode(sandbox, `${load(name)}\nmodule.exports = {};`);
      return described.kind === 'invalid' && described.error.message;
    };
    expect(await messageOf('sharp-linux-x64/sharp.node')).toBe(
      'A component cannot load native code, and @img/sharp-linux-x64/sharp.node was asked for. Install it again',
    );
    expect(await messageOf('colour')).toBe('Install it again');
  });

  it.each([
    ['no export', 'const a = 1;', /version|name/],
    ['an export that is not an object', 'export default 5', /does not export a component object/],
    ['a step of a workflow', 'module.exports = async (event, steps) => 1', /does not export a component object/],
    ['no name', source('').replace(`name: 'a', `, ''), /name must be a text; it is missing/],
    ['a number as version', source('').replace(`'1'`, '1'), /version must be a text; it is 1/],
    ['no run', 'module.exports = { name: "a", version: "1" }', /no run method/],
    [
      'a run that is a generator',
      source('').replace('async run', '*run'),
      /^run is a generator, whose body would never run/,
    ],
    [
      'a hook that is one',
      source('').replace('async run', 'hooks: { async *deploy() {} }, run'),
      /^The hook deploy is a gen/,
    ],
    [
      'a sampleEmit that is one',
      source('').replace('async run', 'async *sampleEmit() {}, run'),
      /^sampleEmit is a generator/,
    ],
    ['props that are no object', source('').replace(/props: \{.*\},\n/, 'props: 5,'), /props must be an object/],
    [
      'an unknown dedupe strategy',
      source('').replace('version', 'dedupe: "newest", version'),
      /dedupe strategy "newest" is not known; there are unique, greatest, last/,
    ],
    [
      'an unknown prop type',
      source('').replace(`'$.service.db'`, `'$.service.nope'`),
      /Prop "db" has the type "\$\.service\.nope", which is not known; there are string, /,
    ],
    ['a prop without a type', source('').replace(`'$.service.db'`, `{ label: 'x' }`), /Prop "db" has no type/],
    [
      'a prop that needs a database',
      source('').replace(`'$.service.db'`, `{ type: 'sql', auth: { app: 'postgresql' } }`),
      /Prop "db" has the type "sql", which is not supported: .* ask the database over HTTP/,
    ],
    [
      'a prop that needs a picker of the hosted service',
      source('').replace(`'$.service.db'`, `'$.discord.channel[]'`),
      /Prop "db" has the type "\$\.discord\.channel\[\]", which is not supported: .* a string with the id/,
    ],
    [
      'a propDefinition that leads nowhere',
      source('').replace(`'$.service.db'`, `{ propDefinition: [{ type: 'app' }, 'nope'] }`),
      /Prop db: its propDefinition nope/,
    ],
  ])('names %s', async (_name, code, message) => {
    const described = await describeCode(sandbox, code);
    expect(described).toMatchObject({ kind: 'invalid', error: { message: expect.stringMatching(message) } });
  });
});

describe('manifests', () => {
  it("inherit from propDefinitions, and the component's own fields override", async () => {
    const code = `const app = { type: 'app', app: 'gitlab', propDefinitions: {
        project: { type: 'integer', label: 'Project', optional: true, async options() {} }, name: { type: 'string', label: 'Name', options: ['a', { label: 'B', value: 'b' }] } } };
      module.exports = { name: 'a', version: '1', run() {}, additionalProps() {}, props: { app,
        project: { propDefinition: [app, 'project', (c) => ({ group: c.group })], optional: false },
        name: { propDefinition: [app, 'name'], description: 'Its name' }, since: { type: 'string', default: new Date(0) },
        timer: { type: '$.interface.timer', static: { intervalSeconds: 60 } }, folder: { type: 'dir', optional: true } } }`;
    const described = await describeCode(sandbox, code);
    expect(described).toMatchObject({ kind: 'described', manifest: { additionalProps: true } });
    expect(described.kind === 'described' && described.manifest.props).toEqual([
      { name: 'app', type: 'app', app: 'gitlab' },
      { name: 'project', type: 'integer', label: 'Project', optional: false, remoteOptions: true },
      {
        name: 'name',
        type: 'string',
        label: 'Name',
        description: 'Its name',
        options: ['a', { label: 'B', value: 'b' }],
      },
      { name: 'since', type: 'string', default: '1970-01-01T00:00:00.000Z' },
      { name: 'timer', type: '$.interface.timer', static: { intervalSeconds: 60 } },
      { name: 'folder', type: 'dir', optional: true },
    ]);
  });

  it('are bounded, whatever the component returns', async () => {
    const code = `const deep = {}; deep.deep = deep;
      module.exports = { name: 'a', version: '1', run() {}, props: { p: { type: 'object', default: deep, options: new Array(5000).fill(1) },
        q: new Proxy({ type: 'string' }, { get: (t, k) => { if (k === 'label') throw new Error('trap'); return t[k]; } }) } }`;
    expect(await describeCode(sandbox, code)).toMatchObject({ kind: 'invalid', error: { message: 'trap' } });
    const bounded = await describeCode(sandbox, code.replace(/q: .*\n?/, '} }'));
    const [prop] = bounded.kind === 'described' ? bounded.manifest.props : [];
    expect(prop?.options).toHaveLength(1000);
    expect(JSON.stringify(prop?.default).length).toBeLessThan(200);
  });
});

describe('errors at run time', () => {
  it('have a stack with positions in the deployed code, and without frames of the service', async () => {
    const code = esm(
      'await null;\n    inner();',
      'import fs from "node:path";\n\nfunction inner() {\n  throw new TypeError("deep");\n}\n',
    );
    const { end, error } = await invoke(sandbox, code);
    expect(end).toBe('threw');
    expect(error).toMatchObject({ name: 'TypeError', message: 'deep', line: 4, column: 9 });
    expect(error?.stack?.split('\n')).toEqual([
      'TypeError: deep',
      '    at inner (component.js:4:9)',
      expect.stringMatching(/^ {4}at Object\.run \(component\.js:11:5\)$/),
    ]);
  });

  it.each([
    ['null', 'null'],
    ['a text', '"text"'],
    ['an object without prototype', 'Object.create(null)'],
    ['an error whose fields throw', 'Object.defineProperty(new Error("x"), "message", { get() { throw 1; } })'],
    ['a symbol', 'Symbol("s")'],
  ])('that are %s end the run with the outcome threw', async (_name, thrown) => {
    expect(await invoke(sandbox, source(`throw ${thrown}`))).toMatchObject({ end: 'threw', error: { name: 'Error' } });
  });

  it('that nobody catches are written to the console with their place', async () => {
    const outcome = await invoke(
      sandbox,
      source(`setTimeout(() => {\n throw new Error('in a timer'); }, 1);
        Promise.reject(new Error('rejected'));
        await new Promise((resolve) => setTimeout(resolve, 20)); this.$emit('went on')`),
    );
    expect(outcome).toMatchObject({ end: 'finished', emits: [{ event: 'went on' }] });
    const lines = outcome.console.map(({ level, text }) => `${level} ${text}`);
    expect(lines).toHaveLength(2);
    expect(lines.join('\n')).toMatch(/error Uncaught Error: rejected/);
    expect(lines.join('\n')).toMatch(/error Uncaught Error: in a timer\n {4}at .*component\.js:4:8/);
    expect(lines.join('\n')).not.toMatch(/runtime\.js|file:|\/work|isolated-vm/);
  });
});
