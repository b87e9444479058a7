import { sizes } from '../../../../domain/sizes.ts';
import { parseBodyText } from './body-text.ts';
import { LargeBodyParser } from './large-body-parser.ts';

/** A thread that misbehaves in the way that the first byte of a body selects. */
const unruly = new URL(
  `data:text/javascript,${encodeURIComponent(`
    import { parentPort } from 'node:worker_threads';
    const deeds = {
      h: () => { for (;;); },
      x: () => process.exit(3),
      t: () => { throw new Error('no'); },
      m: () => { const all = []; for (;;) all.push(new Array(100_000).fill({})); },
    };
    parentPort.on('message', ({ bytes }) => {
      const first = String.fromCharCode(bytes[0]);
      deeds[first]?.();
      parentPort.postMessage({ value: first });
    });`)}`,
);

const open: LargeBodyParser[] = [];
const largeBodies = (options?: ConstructorParameters<typeof LargeBodyParser>[0]): LargeBodyParser => {
  const large = new LargeBodyParser(options);
  open.push(large);
  return large;
};
afterEach(async () => {
  for (const large of open.splice(0)) await large.close();
});

const text = (content: string): Buffer => Buffer.from(content);

test.each([
  ['values', `{"component_code":"${'é'.repeat(40_000)}","list":[1,null,{"a":[]}]}`],
  ['too many values', `[${'0,'.repeat(1_000_000)}0]`],
  ['too deeply nested values', '['.repeat(sizes.restBodyBytes)],
  ['invalid JSON', `{"a":"${'x'.repeat(100_000)}`],
])('parses a large body with %s as the main thread would', async (_name, content) => {
  expect(await largeBodies().parse('o', text(content))).toEqual(parseBodyText(text(content)));
});

test.each([
  ['hangs', 'h'],
  ['exits', 'x'],
  ['throws', 't'],
  ['runs out of memory', 'm'],
])(
  'answers 503 to a body when the thread %s, and parses the next one',
  async (_name, deed) => {
    const large = largeBodies({ program: unruly, parseMs: deed === 'm' ? 20_000 : 4_000 });
    const refused = large.parse('o', text(deed));
    const next = large.parse('o', text('k'));
    await expect(refused).rejects.toMatchObject({ status: 503, headers: { 'retry-after': '1' } });
    expect(await next).toEqual({ value: 'k' });
  },
  30_000,
);

test('a workspace can fill only its own share of the queue', async () => {
  const large = largeBodies({ program: unruly, parseMs: 60_000 });
  const answers: string[] = [];
  const parse = (owner: string): Promise<unknown> =>
    large.parse(owner, text('k')).then(
      () => answers.push(owner),
      (error: { status?: number }) => answers.push(`${owner} ${error.status}`),
    );
  const parses = [...Array.from({ length: 66 }, () => parse('many')), parse('one')];
  await Promise.all(parses);
  expect(answers.indexOf('one')).toBeLessThan(4);
  expect(answers.filter((answer) => answer === 'many 429')).toHaveLength(1);
  expect(answers.filter((answer) => answer === 'many')).toHaveLength(65);
}, 30_000);

test('bodies that wait when it closes, and later ones, get 503', async () => {
  const large = largeBodies({ program: unruly });
  const waiting = ['h', 'k', 'k'].map((deed) => large.parse('o', text(deed)));
  const outcomes = Promise.allSettled(waiting);
  await large.close();
  for (const outcome of await outcomes) expect(outcome).toMatchObject({ status: 'rejected', reason: { status: 503 } });
  await expect(large.parse('o', text('k'))).rejects.toMatchObject({ status: 503 });
}, 30_000);
