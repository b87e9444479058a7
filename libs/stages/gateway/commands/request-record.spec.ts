// Every request to another stage has the same envelope: a new timed id starts its chain, which names the caller.
import { timeOfId } from '../../../domain/id.ts';
import { versionOf } from '../../../domain/record/record-version.ts';
import { requestRecord } from './request-record.ts';

const ambient = { now: () => 1_700_000_000_000, randomBytes: (bytes: number) => Buffer.alloc(bytes, 7) };
const requester = {
  workspace: 'o_1',
  keyId: 'key_1',
  traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
};
const message = { type: 'WebhookTestRequested', data: { webhookId: 'wh_1', replyTo: 'gw_1' } } as const;

test('the id contains its time, and the correlation names the caller and the trace', () => {
  const record = requestRecord(ambient, requester, { key: 'wh_1', ...message });
  expect(timeOfId('req', record.id)).toBe(ambient.now());
  expect(record).toEqual({
    id: record.id,
    ...message,
    version: versionOf(message),
    key: 'wh_1',
    at: ambient.now(),
    workspace: 'o_1',
    correlationId: `${record.id}/key_1/${requester.traceparent}`,
    causationId: record.id,
  });
});

test('a given id starts the correlation, and without a trace none is added', () => {
  const { traceparent: _none, ...untraced } = requester;
  const record = requestRecord(ambient, untraced, { key: 'wh_1', id: 'req_1', ...message });
  expect([record.id, record.correlationId]).toEqual(['req_1', 'req_1/key_1']);
});
