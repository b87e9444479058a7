// Lists of events that wait for the views to catch up do not block other lists.
import { TestBed } from '../../../test-bed.fake.ts';
import { eventViewWrite } from '../../event-view-write.fake.ts';

const sourceId = 'dc_0000000000000001';
const shownCount = 5;

let bed: TestBed;
beforeAll(async () => {
  bed = await TestBed.start();
  const workspace = bed.log.records('workspaces')[0]?.workspace ?? '';
  const build = bed.views.live();
  for (let n = 1; n <= shownCount + 1; n++) {
    const event = eventViewWrite(sourceId, `${n}-${n}`, n);
    await build.put([{ ...event, value: { ...event.value, workspace } }]);
  }
  // The newest of them is never settled.
  await build.saveCheckpoint({ 'channels/0': shownCount + 1, 'channels/1': shownCount + 1 });
});
afterAll(() => bed?.stop());

test('lists that wait for the views to settle keep no turn, and leave out unsettled events in the end', async () => {
  let answered = 0;
  const settling = Array.from({ length: 40 }, async () => {
    const { status, body } = await bed.call('GET', `/v1/sources/${sourceId}/event_summaries`);
    answered += 1;
    return [status, body.page_info?.['count']];
  });
  expect((await bed.call('GET', '/v1/webhooks')).status).toBe(200);
  expect(answered).toBeLessThan(4);
  expect(await Promise.all(settling)).toEqual(settling.map(() => [200, shownCount]));
});
