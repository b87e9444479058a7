import type { LogRecord } from '../message.ts';
import { chainFrom } from '../trace/chain.ts';
import { runIdOf } from '../run/run-output.ts';
import { isAbout } from './about.ts';

const record: LogRecord = {
  id: 'rec_1',
  type: 'DeliveryAttempted',
  version: 1,
  key: 'sub_1',
  at: 1,
  workspace: 'o_1',
  ...chainFrom('req_1', 'key_1'),
  causationId: 'rec_0',
  actor: 'key_1',
  data: { webhookId: 'wh_1', eventId: '17-1', emitted: ['17-2'], nested: { sourceId: 'dc_9' }, n: 1, none: null },
};

test.each(['rec_1', 'rec_0', 'req_1', 'key_1', 'sub_1', 'wh_1', '17-1', '17-2'])(
  'the record is about %s',
  (subject) => {
    expect(isAbout(subject, 'deliveries', record)).toBe(true);
  },
);

test.each(['rec_', 'req_1/key_1', 'dc_9', '1', '', 'o_1'])('the record is not about "%s"', (subject) => {
  expect(isAbout(subject, 'deliveries', record)).toBe(false);
});

test('a trigger is about the run that it starts, and a record keyed by a part of something is about the whole', () => {
  const run = runIdOf(record);
  expect([isAbout(run, 'triggers', record), isAbout(run, 'deliveries', record)]).toEqual([true, false]);
  expect(isAbout('rpl_1', 'deliveries', { ...record, key: 'rpl_1/3' })).toBe(true);
});

test('a record without an object as data is about what its envelope names', () => {
  for (const data of [undefined, null, 'wh_1', 7]) {
    expect(isAbout('sub_1', 'deliveries', { ...record, data })).toBe(true);
    expect(isAbout('wh_1', 'deliveries', { ...record, data })).toBe(false);
  }
});
