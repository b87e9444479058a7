import { Dispatcher } from './dispatcher.ts';
import type { QueuedTrigger } from './queued-trigger.ts';
import { Slots } from './slots.ts';

const trigger = (offset: number, sourceId: string, lane: QueuedTrigger['lane'] = 'runs'): QueuedTrigger => ({
  offset,
  sourceId,
  workspace: 'o_1',
  lane,
  kind: lane === 'runs' ? 'http' : 'activate',
  revision: 1,
  bytes: 1,
  record: undefined,
  losses: 0,
  done: false,
});

test('each lane of a source goes on in order, and of a source with nothing left nothing is kept', async () => {
  const begun: string[] = [];
  const dispatcher = new Dispatcher({
    slots: { runs: new Slots(2), hooks: new Slots(2) },
    runnable: () => true,
    mayStart: () => true,
    repeatDelayMs: () => 0,
    execute: async ({ sourceId, lane, offset }) => {
      begun.push(`${sourceId} ${lane} ${offset}`);
      await new Promise(setImmediate);
      return true;
    },
    left: () => {},
    fail: (error) => begun.push(error.message),
  });
  for (const offset of [0, 1, 2, 3]) dispatcher.add(trigger(offset, `dc_${offset % 3}`));
  dispatcher.add(trigger(4, 'dc_0', 'hooks'));
  expect(dispatcher.sources).toBe(3);
  await dispatcher.idle();
  expect(begun.filter((one) => one.startsWith('dc_0'))).toEqual(['dc_0 runs 0', 'dc_0 hooks 4', 'dc_0 runs 3']);
  expect(begun).toHaveLength(5);
  expect(dispatcher.sources).toBe(0);
});
