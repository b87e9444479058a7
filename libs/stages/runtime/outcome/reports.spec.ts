// What the service itself reports about runs, in addition to their emits.
import type { EmittedEvent } from '../../../domain/channel/messages.ts';
import type { World } from '../testing/world.fake.ts';
import { worldForEachTest } from '../testing/worlds.fake.ts';

let world: World;
const { begin, events, runs, finished } = worldForEachTest((made) => (world = made));

const on = (name: string): readonly EmittedEvent['data'][] => events().filter(({ channel }) => channel === name);

test('reports a failed run with its event on $errors, bypassing dedupe, and does not report a failed hook', async () => {
  await world.deploy('dc_a', {
    dedupe: 'unique',
    hooks: {
      activate: () => {
        throw new Error('no');
      },
    },
    run: ({ emit }) => {
      emit({ event: 'before', id: 1 });
      throw new Error('bad luck with hush-hush');
    },
  });
  await begin();
  await world.trigger('dc_a', { kind: 'activate' });
  for (const n of [1, 2])
    await world.post(
      'dc_a',
      { n, key: 'hush-hush' },
      { http: { sealedHeaders: world.seal({ 'x-key': 'hush-hush' }) } },
    );
  await finished(3);
  expect(on('').map(({ event }) => event)).toEqual(['before']);
  const failed = runs().filter(({ kind }) => kind === 'http');
  expect(failed.map(({ emitted }) => emitted.length)).toEqual([1, 0]);
  expect(on('$errors')).toMatchObject(
    failed.map(({ runId }, index) => ({
      runId,
      event: {
        original_event: { method: 'POST', headers: { 'x-key': '[secret]' }, body: { n: index + 1, key: '[secret]' } },
        error: { name: 'Error', message: 'bad luck with [secret]' },
        run_id: runId,
      },
    })),
  );
  expect(events().map(({ eventId }) => Number(eventId.split('-')[1]))).toEqual([0, 1, 2]);
});

test('reports a run whose db is full on $errors', async () => {
  await world.deploy('dc_a', {
    run: ({ db }) => {
      for (let n = 0; n < 8; n++) db.set(`k${n}`, 'x'.repeat(60_000));
    },
  });
  await begin();
  await world.post('dc_a', { n: 1 });
  await finished(1);
  expect(on('$errors')).toMatchObject([
    { event: { original_event: { body: { n: 1 } }, error: { name: 'DbFullError' } } },
  ]);
});
