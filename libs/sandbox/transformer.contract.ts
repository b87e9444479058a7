// The contract suite of the port for transforms, for every adapter.
import type { TransformOutcome } from '../domain/delivery/transform/transform.ts';
import type { Transformer } from './transformer.ts';

export const transformOf = (text: string, event: unknown = { n: 1, items: ['a'] }) => ({
  subscriptionId: 'sub_1',
  workspace: 'o_1',
  text,
  event: JSON.stringify(event),
  metadata: {
    event_id: '1700000000000-7',
    event_name: 'orders',
    emitter_id: 'dc_a',
    subscription_id: 'sub_1',
    emitted_at_ms: 1_700_000_000_000,
  },
});

/** The first call starts a process, which takes long on a busy machine. */
const startMs = 60_000;

export function transformerContract(make: () => Transformer): void {
  let transformer: Transformer;
  beforeAll(() => {
    transformer = make();
  });
  afterAll(() => transformer.close());

  const transformed = (text: string, event?: unknown): Promise<TransformOutcome> =>
    transformer.transform(transformOf(text, event));
  const check = (text: string) => transformer.check({ subscriptionId: 'sub_1', workspace: 'o_1', text });
  const sent = (body: unknown, headers = {}): TransformOutcome => ({
    kind: 'sent',
    body: body === undefined ? null : JSON.stringify(body),
    headers,
  });

  test(
    'a function turns an event and its metadata into a body and headers',
    async () => {
      expect(await transformed('(event) => ({ body: { double: event.n * 2 } });\n')).toEqual(sent({ double: 2 }));
      const text = `function (event, { event_id, event_name, emitted_at_ms: at }) {
      const body = [event_id, event_name, new Date(at).toISOString()];
      return { body, headers: { 'X-Kind': event.items[0] } };
    }`;
      const body = ['1700000000000-7', 'orders', '2023-11-14T22:13:20.000Z'];
      expect(await transformed(text)).toEqual(sent(body, { 'X-Kind': 'a' }));
      expect(await transformed('() => ({ body: null })')).toEqual(sent(null));
    },
    startMs,
  );

  test(
    'without a body the event is sent as it is, and null drops it',
    async () => {
      expect(await transformed('() => ({ headers: { a: "b" } })')).toEqual(sent(undefined, { a: 'b' }));
      expect(await transformed('() => ({})')).toEqual(sent(undefined));
      expect(await transformed('() => null')).toEqual({ kind: 'dropped' });
    },
    startMs,
  );

  test(
    'a function that throws fails with its message and place',
    async () => {
      const text = '(event) => {\n  const { id } = event.issue;\n  return { body: id };\n}';
      const outcome = await transformed(text);
      expect(outcome).toMatchObject({ kind: 'failed', error: { line: 2 } });
      expect(JSON.stringify(outcome)).toContain("Cannot destructure property 'id'");
    },
    startMs,
  );

  test.each([
    ['nothing', '() => {}'],
    ['a text', '() => "text"'],
    ['another field', '(event) => event'],
    ['a promise', 'async () => ({ body: 1 })'],
    ['headers of the service', '() => ({ headers: { "Webhook-Id": "1" } })'],
    ['the length of the body', '() => ({ headers: { "content-length": "1" } })'],
    ['the host', '() => ({ headers: { host: "other.example" } })'],
    ['a line break in a header', '() => ({ headers: { a: "b\\r\\nc: d" } })'],
    ['headers that are no texts', '() => ({ headers: { a: { b: 1 } } })'],
    ['a list of headers', '() => ({ headers: ["a"] })'],
    [
      'too many headers',
      '() => ({ headers: Object.fromEntries(Array.from({ length: 21 }, (_, i) => ["a" + i, "1"])) })',
    ],
    ['a body of more than 512 KiB', '() => ({ body: "é".repeat(270000) })'],
    ['a body without an end', '() => { const body = {}; body.body = body; return { body }; }'],
  ])(
    'a function that returns %s fails',
    async (_what, text) => {
      expect(await transformed(text)).toMatchObject({
        kind: 'failed',
        error: { message: expect.any(String) as string },
      });
    },
    startMs,
  );

  test(
    'code that does not parse is refused with its line and column, and so is anything but a function',
    async () => {
      expect(await check('(event) => ({ body: event })')).toBeUndefined();
      expect(await check('(event) => {\n  return { body: event ]\n}')).toMatchObject({ line: 2, column: 24 });
      for (const [text, line, column] of [
        ['(e=>', 1, 5],
        ['(e) => {\n  return e.a(\n', 2, 14],
        ['() => (  ;', 1, 8],
      ] as const)
        expect([text, await check(text)]).toMatchObject([text, { line, column }]);
      for (const text of ['({ body: 1 })', '42', '', '(() => { throw new Error("no") })()'])
        expect(await check(text)).toMatchObject({ message: expect.any(String) as string });
    },
    startMs,
  );

  test.each([
    ['an async function', 'async (event) => ({})', 'must not be async'],
    ['an async generator', 'async function* (event) {}', 'must not be'],
    ['a generator', 'function* (event) { return {}; }', 'must not be a generator'],
    ['a class', 'class A {}', 'not a class'],
    ['a class without a name', 'class{ constructor() { this.body = 1; } }', 'not a class'],
  ])(
    '%s, which can never give a result, is refused when it is set',
    async (_what, text, message) => {
      const refused = { message: expect.stringContaining(message) as string, line: null };
      expect(await check(text)).toMatchObject(refused);
      expect(await transformed(text)).toMatchObject({ kind: 'failed', error: refused });
    },
    startMs,
  );

  test(
    'a function whose text only looks like one of these is taken',
    async () => {
      for (const text of ['async => ({})', 'classes => ({})', 'class$ => ({})', 'Object.freeze(function classy() {})'])
        expect(await check(text)).toBeUndefined();
      expect(await check('({ async(event) { return {}; } }).async')).toBeUndefined();
    },
    startMs,
  );
}
