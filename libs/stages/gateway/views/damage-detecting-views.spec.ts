// Reads that find damage in the views.
import { PortError } from '../../../domain/port-error.ts';
import { MemoryViewStore } from '../../../view-store/view-store.fake.ts';
import { problemOf } from '../http/problem-of.ts';
import { DamageDetectingViews } from './damage-detecting-views.ts';

const definitions = [{ name: 'books', indexes: { byShelf: ['shelf', 'year'] } }];
const list = { index: 'byShelf', equals: ['a'], order: 'ascending', limit: 10 } as const;

/** Views whose document `bad` is damaged. */
function world() {
  const store = new MemoryViewStore(definitions);
  const live = store.live();
  const get = live.get.bind(live);
  let failure = new PortError('corrupt', 'The views file /data/views.sqlite is damaged. Start again.');
  live.get = (view, id) => (id === 'bad' ? Promise.reject(failure) : get(view, id));
  const reported: string[] = [];
  const views = new DamageDetectingViews(live, ({ message }) => reported.push(message));
  return { store, shown: views, told: reported, failWith: (error: PortError) => (failure = error) };
}

test('damage is reported once, and answered with 503 and where to look', async () => {
  const { shown: views, told: reported } = world();
  expect(views.damage).toBeUndefined();
  for (let i = 0; i < 2; i++) {
    const error: unknown = await views.get('books', 'bad').catch((thrown: unknown) => thrown);
    expect(problemOf(error)).toMatchObject({ status: 503, message: expect.stringContaining('GET /health') as string });
  }
  expect(reported).toEqual(['The views file /data/views.sqlite is damaged. Start again.']);
  expect(views.damage?.message).toBe(reported[0]);
  expect(await views.find('books', list)).toEqual([]);
});

test('damage is over once the views are rebuilt', async () => {
  const { store, shown: views } = world();
  await views.get('books', 'bad').catch(() => undefined);
  await store.switchTo(await store.begin());
  expect(views.damage).toBeUndefined();
});

test('other failures of the views are not damage', async () => {
  const { shown: views, told: reported, failWith } = world();
  failWith(new PortError('unavailable', 'not now'));
  await expect(views.get('books', 'bad')).rejects.toMatchObject({ code: 'unavailable' });
  expect([views.damage, reported]).toEqual([undefined, []]);
});
