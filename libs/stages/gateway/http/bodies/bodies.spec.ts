import { once } from 'node:events';
import { connect } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { sizes } from '../../../../domain/sizes.ts';
import { TestBed } from '../../test-bed.fake.ts';
import type { Answer } from '../../test-bed.fake.ts';

let bed: TestBed;
let port: number;
beforeAll(async () => {
  bed = await TestBed.start();
  bed.components.set('echo', {
    manifest: {
      name: 'Echo',
      version: '0.0.1',
      type: 'source',
      props: [{ name: 'list', type: 'any', optional: true }],
      hooks: [],
      methods: [],
      additionalProps: false,
    },
  });
  await bed.app.listen(0, '127.0.0.1');
  port = (bed.app.getHttpServer().address() as AddressInfo).port;
});
afterAll(() => bed?.stop());

const deploy = (body: string, authorization = `Bearer ${bed.apiKey}`): Promise<Answer> =>
  bed.send('POST', '/v1/sources', { body, headers: { authorization, 'content-type': 'application/json' } });

/** JSON of exactly the given number of bytes, padded with spaces. */
const sized = (text: string, bytes: number): string => text.padEnd(bytes, ' ');
const echo = (list: string): string => `{"component_code":"echo","configured_props":{"list":${list}}}`;
const zeros = (bytes: number): string => `[${'0,'.repeat(bytes / 2 - 2)}0]`;

test('accepts bodies of 2 MiB for sources, 128 KiB for subscriptions and 64 KiB for the rest', async () => {
  expect((await deploy(sized(echo('[1]'), sizes.restBodyBytes))).status).toBe(200);
  expect((await deploy(sized(echo('[1]'), sizes.restBodyBytes + 1))).body.code).toBe('too_large');
  const webhook = JSON.stringify({ url: 'https://example.com/' });
  for (const [path, bytes] of [
    ['/v1/webhooks', sizes.smallBodyBytes],
    ['/v1/subscriptions', 128 * 1024],
  ] as const) {
    const most = await bed.call('POST', path, { body: sized(webhook, bytes) });
    expect([200, 400]).toContain(most.status);
    const more = await bed.call('POST', path, { body: sized(webhook, bytes + 1) });
    expect([more.status, more.body]).toEqual([
      413,
      { error: `The body is larger than ${bytes} bytes.`, code: 'too_large' },
    ]);
  }
  const removing = await bed.call('DELETE', '/v1/webhooks/wh_0', { body: sized('{}', sizes.smallBodyBytes + 1) });
  expect(removing.status).toBe(413);
});

/** The main thread spends a fraction of the time that parsing would take, even with what the test itself sends. */
test.each([
  ['2 MiB of numbers', zeros(sizes.restBodyBytes), 'it holds more than 20000 values'],
  ['2 MiB of objects', `[${'{},'.repeat(699_000)}{}]`, 'it holds more than 20000 values'],
  ['2 MiB of brackets', '['.repeat(sizes.restBodyBytes), 'it is nested deeper than 64 levels'],
  ['64 KiB of numbers', zeros(60_000), 'it holds more than 20000 values'],
  ['64 KiB of nested names', '{"a":'.repeat(13_000), 'it is nested deeper than 64 levels'],
  ['an object with the same name twice', '{"a":1,"a":2}', 'the name "a" occurs twice in one object'],
])(
  'refuses %s without blocking the main thread',
  async (_name, body, why) => {
    await deploy(sized('{}', 100_000));
    const before = process.threadCpuUsage();
    const answer = await deploy(body);
    const { user, system } = process.threadCpuUsage(before);
    expect([answer.status, answer.body.error]).toEqual([400, `The body is refused: ${why}.`]);
    expect((await deploy(body, 'Bearer nobody')).status).toBe(401);
    expect((user + system) / 1_000).toBeLessThan(200);
  },
  30_000,
);

test('refuses deeply nested props or repeated names in a query string and logs nothing', async () => {
  const records = bed.log.records('commands').length;
  for (const [text, why] of [
    [`{"list":${'['.repeat(4_000)}${']'.repeat(4_000)}}`, 'nested deeper than 64 levels'],
    ['{"list":1,"list":2}', 'the name "list" occurs twice in one object'],
  ]) {
    const query = { component_code: 'echo', configured_props: text ?? '' };
    const answer = await bed.call('POST', '/v1/sources', { query });
    expect([answer.status, answer.body.error]).toEqual([400, expect.stringContaining(why ?? '')]);
    expect(answer.body.details).toMatchObject({ problems: [{ field: 'configured_props' }] });
  }
  expect(bed.log.records('commands')).toHaveLength(records);
  expect(bed.fatal).toEqual([]);
});

test('deploys props within the limits unchanged', async () => {
  const list = `[${Array.from({ length: 15_000 }, (_, at) => at % 10).join()}]`;
  const answer = await deploy(echo(list));
  const { configured_props: props } = answer.body.data as { readonly configured_props: { readonly list: unknown } };
  expect([answer.status, JSON.stringify(props.list)]).toEqual([200, list]);
});

async function begin(bytes: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  const head = `POST /v1/sources HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${bed.apiKey}\r\n`;
  socket.write(`${head}content-length: ${bytes}\r\n\r\n{`);
  return socket;
}

test('unfinished bodies fill only their share, which is free again when the connections close', async () => {
  const begun: Socket[] = [];
  const refused = Promise.withResolvers<string>();
  for (let at = 0; at < 40; at++) {
    const socket = await begin(sizes.restBodyBytes);
    socket.on('data', (chunk: Buffer) => refused.resolve(chunk.toString()));
    begun.push(socket);
  }
  expect(await refused.promise).toMatch(/^HTTP\/1.1 429 [^]*retry-after: 1\r\n[^]*"too_many_requests"/i);
  expect((await bed.call('GET', '/v1/webhooks')).status).toBe(200);
  for (const socket of begun) socket.destroy();
  const most = sized(echo('1'), sizes.restBodyBytes);
  const deadline = Date.now() + 20_000;
  let last = await deploy(most);
  while (last.status === 429 && Date.now() < deadline) {
    await new Promise((resolve) => setTimeout(resolve, 10));
    last = await deploy(most);
  }
  expect(last.status).toBe(200);
}, 30_000);

const listed = (headers: Record<string, string>, body: string): Promise<Answer> =>
  bed.call('POST', '/v1/webhooks', { body, headers });
const webhookBody = '{"url":"https://example.com/é"}';

test.each([
  [{ 'content-encoding': 'gzip' }, /^Send the body as it is: encodings such as gzip are not taken\.$/],
  [{ 'content-encoding': 'identity, br' }, /encodings such as br are not taken/],
  [{ 'content-type': 'application/json; charset=latin1' }, /^Send the body in UTF-8, not in latin1\.$/],
  [{ 'content-type': 'application/json;a=b; Charset="UTF-16"' }, /not in UTF-16\.$/],
])('answers 415 to a body with %j, however it reads', async (headers, message) => {
  const { status, body } = await listed(headers, webhookBody);
  expect([status, body]).toEqual([415, { error: expect.stringMatching(message), code: 'unsupported_media_type' }]);
});

test.each([
  [{ 'content-encoding': 'Identity' }],
  [{ 'content-type': 'application/json; charset=UTF-8' }],
  [{ 'content-type': 'application/json;charset="utf8"' }],
  [{ 'content-type': 'application/json; charset=us-ascii' }],
])('takes a body with %j', async (headers) => {
  expect((await listed(headers, webhookBody)).status).toBe(200);
});
