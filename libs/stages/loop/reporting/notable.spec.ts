import type { TopicName } from '../../../domain/flow.ts';
import type { MessageOn } from '../../../domain/messages-of.ts';
import { notable } from './notable.ts';

const record = (type: string, data: object): MessageOn<TopicName> =>
  ({
    ...{ id: 'rec_1', type, version: 1, key: 'dc_1', data, at: 1, workspace: 'o_1' },
    ...{ correlationId: 'req_1', causationId: 'req_1' },
  }) as MessageOn<TopicName>;

test('a failed run is told with its ids and the text of its error, never its stack', () => {
  const error = { name: 'Error', message: 'no luck', stack: 'Error: no luck\n  at x' };
  const told = notable(
    record('RunFinished', { sourceId: 'dc_1', runId: 'run_1', kind: 'http', outcome: 'failed', error }),
  );
  expect(told?.details).toEqual({ sourceId: 'dc_1', runId: 'run_1', kind: 'http', error: 'no luck' });
});

test('a parked delivery is told, an attempt that will be repeated is not', () => {
  expect(notable(record('DeliveryParked', { subscriptionId: 'sub_1', attempts: 10 }))).toMatchObject({
    details: { subscriptionId: 'sub_1', attempts: 10 },
  });
  expect(notable(record('DeliveryAttempted', { outcome: 'failed' }))).toBeUndefined();
});

test('what is as it should be is not told', () => {
  expect(notable(record('RunFinished', { outcome: 'succeeded' }))).toBeUndefined();
  expect(notable(record('EventEmitted', {}))).toBeUndefined();
});
