import type { TopicName } from '../../../domain/flow.ts';
import type { OutgoingOn } from '../../../log/log.ts';
import { noticeOf } from './notices.ts';

const output = (topic: TopicName, type: string, data: object | null): OutgoingOn =>
  ({
    topic,
    partition: 0,
    record: {
      id: 'rec_1',
      type,
      version: 1,
      key: 'dc_1',
      data,
      at: 1,
      workspace: 'o_1',
      correlationId: 'req_1',
      causationId: 'req_1',
    },
  }) as OutgoingOn;

test('a failed run is logged with its ids and the text of its error, never its stack', () => {
  const error = { name: 'Error', message: 'no luck', stack: 'Error: no luck\n  at x' };
  const notice = noticeOf(
    output('runs', 'RunFinished', { sourceId: 'dc_1', runId: 'run_1', kind: 'http', outcome: 'failed', error }),
  );
  expect(notice?.details).toEqual({ sourceId: 'dc_1', runId: 'run_1', kind: 'http', error: 'no luck' });
});

test('a parked delivery is logged, an attempt that will be repeated is not', () => {
  expect(noticeOf(output('deliveries', 'DeliveryParked', { subscriptionId: 'sub_1', attempts: 10 }))).toMatchObject({
    details: { subscriptionId: 'sub_1', attempts: 10 },
  });
  expect(noticeOf(output('deliveries', 'DeliveryAttempted', { outcome: 'failed' }))).toBeUndefined();
});

test('successful runs and emitted events are not logged', () => {
  expect(noticeOf(output('runs', 'RunFinished', { outcome: 'succeeded' }))).toBeUndefined();
  expect(noticeOf(output('channels', 'EventEmitted', {}))).toBeUndefined();
});

test('tombstones and marks are not logged', () => {
  expect(noticeOf(output('cursors', 'CursorClosed', null))).toBeUndefined();
  expect(noticeOf(output('marks.runtime', 'MarkMoved', {}))).toBeUndefined();
});
