import { setImmediate as turn } from 'node:timers/promises';
import { TestBed } from '../test-bed.fake.ts';
import { requestsPerTurn } from './request-turns.ts';

let bed: TestBed;
let endpoint: string;
beforeAll(async () => {
  bed = await TestBed.start();
  endpoint = await bed.deployEndpoint();
});
afterAll(() => bed?.stop());

/** Counts the turns of the event loop until all requests, made at once, are answered. */
async function turnsUntilAnswered(
  requests: readonly Promise<{ readonly status: number }>[],
  answered = 200,
): Promise<number> {
  let turns = 0;
  let isOver = false;
  const counting = (async () => {
    for (; !isOver; turns++) await turn();
  })();
  const answers = await Promise.all(requests);
  isOver = true;
  await counting;
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([answered]));
  return turns;
}

const count = 400;

test('few requests to an endpoint begin in a turn of the event loop', async () => {
  const requests = Array.from({ length: count }, () => bed.send('POST', endpoint, { body: {} }));
  expect(await turnsUntilAnswered(requests)).toBeGreaterThanOrEqual(count / requestsPerTurn);
});

test('few requests to the API begin in a turn of the event loop', async () => {
  const requests = Array.from({ length: count }, () => bed.call('GET', '/v1/users/me'));
  expect(await turnsUntilAnswered(requests)).toBeGreaterThanOrEqual(count / requestsPerTurn);
});

test('few requests to an unknown endpoint are refused in a turn of the event loop', async () => {
  const requests = Array.from({ length: count }, () => bed.send('POST', '/e/unknown', { body: {} }));
  expect(await turnsUntilAnswered(requests, 404)).toBeGreaterThanOrEqual(count / requestsPerTurn);
});

test('few requests without a key are refused in a turn of the event loop', async () => {
  const requests = Array.from({ length: count }, () => bed.send('GET', '/v1/users/me', {}));
  expect(await turnsUntilAnswered(requests, 401)).toBeGreaterThanOrEqual(count / requestsPerTurn);
});

test('few requests to an unknown path are refused in a turn of the event loop', async () => {
  const requests = Array.from({ length: count }, () => bed.send('GET', '/nope', {}));
  expect(await turnsUntilAnswered(requests, 404)).toBeGreaterThanOrEqual(count / requestsPerTurn);
});

test('a page of the console does not queue after a flood of requests to unknown paths', async () => {
  const ended: string[] = [];
  const sendRequest = (path: string): Promise<void> => bed.send('GET', path, {}).then(() => void ended.push(path));
  const flood = Array.from({ length: count }, () => sendRequest('/nope'));
  await Promise.all([...flood, sendRequest('/')]);
  expect(ended.indexOf('/')).toBeLessThan(count / 10);
});

test('when the service stops, requests that wait for their turn are refused, and can be sent again', async () => {
  const stopping = await TestBed.start();
  const requests = Array.from({ length: count }, () => stopping.call('GET', '/v1/users/me'));
  await turn();
  await turn();
  await stopping.stop();
  const answers = await Promise.all(requests);
  expect(answers[0]?.status).toBe(200);
  expect(answers.at(-1)).toMatchObject({ status: 503, body: { code: 'unavailable' } });
});
