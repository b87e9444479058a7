import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { until } from '../../../test/support/until.ts';
import { createClient } from '../index.ts';

interface Answer {
  readonly status: number;
  readonly retryAfter?: string;
}

/** Responses in turn; every later request is answered 200. */
let answers: Answer[] = [];
const askedAtMs: number[] = [];
const server = createServer((request, response) => {
  request.resume();
  askedAtMs.push(performance.now());
  const { status, retryAfter } = answers.shift() ?? { status: 200 };
  const headers = { 'content-type': 'application/json', ...(retryAfter && { 'retry-after': retryAfter }) };
  response.writeHead(status, headers).end(JSON.stringify(status === 200 ? { data: [] } : { code: 'refused' }));
});

let baseUrl: string;
beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());
beforeEach(() => {
  answers = [];
  askedAtMs.length = 0;
});

const client = (timeoutMs = 45_000) => createClient({ baseUrl, apiKey: 'pd_x', timeoutMs });

test.each([429, 503])('a list that is answered %d is asked for again after its Retry-After', async (status) => {
  answers = [{ status, retryAfter: '1' }];
  expect((await client().webhooks()).data).toEqual([]);
  const [first = 0, second = 0] = askedAtMs;
  expect(askedAtMs).toHaveLength(2);
  expect(second - first).toBeGreaterThanOrEqual(990);
});

test('a list that is refused again and again is asked for four times at most', async () => {
  answers = Array.from({ length: 10 }, () => ({ status: 429, retryAfter: '0' }));
  await expect(client().webhooks()).rejects.toMatchObject({ status: 429, retryAfterSeconds: 0 });
  expect(askedAtMs).toHaveLength(4);
});

test.each([
  ['asks for more than a few seconds', { status: 503, retryAfter: '30' }],
  ['is 503 without Retry-After', { status: 503 }],
  ['is no refusal for the moment', { status: 500, retryAfter: '0' }],
])('an answer that %s is final', async (_what, answer) => {
  answers = [answer];
  await expect(client().webhooks()).rejects.toMatchObject({ status: answer.status });
  expect(askedAtMs).toHaveLength(1);
});

test('a read is not asked for again later than the client waits for an answer', async () => {
  answers = [{ status: 429 }];
  await expect(client(900).webhooks()).rejects.toMatchObject({ status: 429 });
  expect(askedAtMs).toHaveLength(1);
});

test('what changes something is sent once, with an Idempotency-Key or without one', async () => {
  const changes = [
    () => client().createWebhook({ url: 'https://a.b/' }, { idempotencyKey: 'k' }),
    () => client().createWebhook({ url: 'https://a.b/' }),
    () => client().updateWebhook('wh_1', { active: true }),
    () => client().deleteWebhook('wh_1'),
  ];
  for (const change of changes) {
    askedAtMs.length = 0;
    answers = [{ status: 429, retryAfter: '0' }];
    await expect(change()).rejects.toMatchObject({ status: 429 });
    expect(askedAtMs).toHaveLength(1);
  }
});

test('a stream is opened again after its Retry-After, unless it is ended meanwhile', async () => {
  answers = [{ status: 429, retryAfter: '0' }];
  await (await client().signedHistory.export({})).toArray();
  expect(askedAtMs).toHaveLength(2);
  answers = [{ status: 429, retryAfter: '4' }];
  const abort = new AbortController();
  const opened = client().signedHistory.export({}, abort.signal);
  await until('it to be asked for', async () => askedAtMs.length === 3);
  abort.abort();
  await expect(opened).rejects.toMatchObject({ name: 'AbortError' });
  expect(askedAtMs).toHaveLength(3);
});
