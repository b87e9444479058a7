// Components that never end, take all memory, or kill the process that they run in: only they may be affected.
import type { ComponentAttack, ExpectedRun } from '../attack.ts';
import { component, runAttack, refusedDeploy } from '../attack.ts';

const ended: ExpectedRun = { run: 'failed' };
const runawayAttack = (name: string, run: string, said: ExpectedRun = ended): ComponentAttack =>
  runAttack(`runaway: ${name}`, { run }, said);

const endless: readonly ComponentAttack[] = [
  runawayAttack('a loop without end', 'for (;;) {}', { run: 'failed', error: /computed for more than/ }),
  runawayAttack('promises without end', '(async () => { for (;;) await 0; })(); return new Promise(() => {});'),
  runawayAttack(
    'short turns without end',
    'const spin = () => { const until = Date.now() + 900; while (Date.now() < until); }; for (;;) { spin(); await new Promise((done) => setTimeout(done, 1)); }',
    {
      run: 'failed',
      error: /10 s|processor|CPU/i,
    },
  ),
  runawayAttack('a regular expression without end', "/^(a+)+$/.test('a'.repeat(50) + 'b');"),
  runawayAttack('a getter without end in a template literal', 'return `${{ toString() { for (;;) {} } }}`;'),
  runawayAttack(
    'a sort that never agrees',
    'for (;;) Array.from({ length: 1e6 }, Math.random).sort(() => Math.random() - 0.5);',
  ),
  runawayAttack('recursion without end, caught each time', 'const f = () => { try { f(); } finally { f(); } }; f();'),
  runawayAttack('a thenable without end', 'return { then(done) { done(this); } };'),
  runawayAttack('waiting for a shared cell', 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);', {}),
];

const timers: readonly ComponentAttack[] = [
  runawayAttack(
    '10,000 timers',
    'await Promise.all(Array.from({ length: 10_000 }, () => new Promise((done) => setTimeout(done, 10))));',
    {},
  ),
  runawayAttack('a million timers', 'for (let at = 0; at < 1e6; at++) setTimeout(() => {}, 1e6);', {}),
  runawayAttack(
    'timers that set timers',
    'let n = 0; const more = () => { n++; setTimeout(more, 0); setTimeout(more, 0); }; more(); await new Promise((done) => setTimeout(done, 1_500));',
    {},
  ),
  runawayAttack(
    'an interval of nothing after the run',
    'setInterval(() => { const until = Date.now() + 500; while (Date.now() < until); }, 0);',
    {},
  ),
  runawayAttack(
    'delays that are no numbers',
    "for (const delay of [NaN, -1, 1e300, '5', {}, [], null, Symbol.iterator.description]) setTimeout(() => {}, delay);",
    {},
  ),
];

const memory: readonly ComponentAttack[] = [
  runawayAttack('lists without end', 'const all = []; for (;;) all.push(new Array(1e5).fill(Math.random()));'),
  runawayAttack(
    'texts without end',
    "const all = []; for (let at = 0; ; at++) all.push(('x' + at).repeat(1e6).replaceAll('y', 'z') + all.length);",
  ),
  runawayAttack('bytes without end', 'const all = []; for (;;) all.push(new Uint8Array(1e8).fill(1));'),
  runawayAttack('one list of bytes of 4 GB', 'new Uint8Array(4 * 1024 ** 3).fill(1);'),
  runawayAttack('a map without end', 'const map = new Map(); for (let at = 0; ; at++) map.set(at, { at });'),
  runawayAttack('WebAssembly memory of 4 GB', 'new WebAssembly.Memory({ initial: 65_536 });', {}),
];

const killers: readonly ComponentAttack[] = [
  runawayAttack('a text of 2^28 letters, split', '"a".repeat(2 ** 28).split("");'),
  runawayAttack('the digits of a number of 2^29 bits', '(2n ** (1n << 29n)).toString();'),
  {
    kind: 'component',
    name: 'runaway: a text of 2^28 letters, split again and again',
    code: () => component({ run: '"a".repeat(2 ** 28).split("");' }),
    requests: [{}, {}, {}, {}],
    expected: ended,
  },
  {
    kind: 'component',
    name: 'runaway: the digits of a number of 2^29 bits again and again',
    code: () => component({ run: '(2n ** (1n << 29n)).toString();' }),
    requests: [{}, {}, {}],
    expected: ended,
  },
  runawayAttack('a list of 2^27 holes, joined', "for (;;) new Array(2 ** 27).join('xxxx').normalize('NFKD');"),
  runawayAttack('JSON of 200 MB, parsed', "JSON.parse('[' + '[],'.repeat(6e7) + '0]');"),
];

/** Each is a separate source: the repeated run of an innocent one can meet the next of them. */
const together: readonly ComponentAttack[] = Array.from({ length: 6 }, (_, n) => ({
  kind: 'component',
  name: `runaway: killer ${n + 1} of six that are there at once`,
  code: () => component({ run: n % 2 === 0 ? '"a".repeat(2 ** 28).split("");' : '(2n ** (1n << 29n)).toString();' }),
  requests: [{}, {}],
  expected: ended,
}));

const loading: readonly ComponentAttack[] = [
  refusedDeploy('loading: a loop without end', () => `for (;;) {}\n${component({})}`),
  refusedDeploy('loading: a text of 2^28 letters, split', () => `"a".repeat(2 ** 28).split("");\n${component({})}`),
  refusedDeploy(
    'loading: the digits of a number of 2^29 bits',
    () => `(2n ** (1n << 29n)).toString();\n${component({})}`,
  ),
  refusedDeploy(
    'loading: lists without end',
    () => `const all = []; for (;;) all.push(new Array(1e5).fill(1));\n${component({})}`,
  ),
  refusedDeploy(
    'loading: a hook that never ends',
    () => component({ members: 'hooks: { deploy() { for (;;) {} } },' }),
    {
      code: 'hook_failed',
    },
  ),
];

export const runaways: readonly ComponentAttack[] = [...endless, ...timers, ...memory];
export const killing: readonly ComponentAttack[] = [...killers, ...together, ...loading];
