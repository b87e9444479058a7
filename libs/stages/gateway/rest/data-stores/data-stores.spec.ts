// Data stores that are created with an Idempotency-Key.
import { jest } from '@jest/globals';
import { TestBed } from '../../test-bed.fake.ts';

const hourMs = 3_600_000;
const realNow = Date.now.bind(Date);

let bed: TestBed;
let clock: { mockRestore(): void; mockImplementation(now: () => number): unknown };
beforeAll(async () => {
  clock = jest.spyOn(Date, 'now').mockImplementation(realNow);
  bed = await TestBed.start();
});
beforeEach(() => {
  clock.mockImplementation(realNow);
});
afterAll(async () => {
  clock.mockRestore();
  await bed?.stop();
});

async function create(name: string, key: string) {
  const { status, body } = await bed.call('POST', '/v1/data_stores', {
    body: { name },
    headers: { 'idempotency-key': key },
  });
  return { status, code: body.code, id: (body.data as { id: string } | undefined)?.id };
}

test('the same request is refused once its data store was deleted, and its key is new after 24 hours', async () => {
  const { id } = await create('Gone', 'gone');
  expect((await bed.call('DELETE', `/v1/data_stores/${id}`)).status).toBe(204);
  const conflict = { status: 409, code: 'idempotency_conflict' };
  expect(await create('Gone', 'gone')).toMatchObject(conflict);
  expect(await create('Another', 'gone')).toMatchObject(conflict);
  expect((await bed.call('GET', `/v1/data_stores/${id}`)).status).toBe(404);
  clock.mockImplementation(() => realNow() + 23 * hourMs);
  expect(await create('Gone', 'gone')).toMatchObject(conflict);
  clock.mockImplementation(() => realNow() + 25 * hourMs);
  expect(await create('Gone', 'gone')).toMatchObject({ status: 200 });
});

test('the same request creates a data store once in 24 hours, and another one with its key is refused', async () => {
  const first = await create('Seen orders', 'k');
  clock.mockImplementation(() => realNow() + 23 * hourMs);
  expect(await create('Seen orders', 'k')).toEqual(first);
  expect(await create('Others', 'k')).toMatchObject({ status: 409, code: 'idempotency_conflict' });
  expect((await create('Seen orders', 'other')).id).not.toBe(first.id);
  clock.mockImplementation(() => realNow() + 25 * hourMs);
  const anew = await create('Others', 'k');
  expect(anew).toMatchObject({ status: 200, id: expect.not.stringMatching(`^${first.id}$`) as string });
  expect(await create('Others', 'k')).toEqual(anew);
});
