// Every record that the log can return has a line and a leaf, the same at each reading.
import fc from 'fast-check';
import { leafOf } from '../../verifier/leaf.ts';
import type { LogRecord } from '../message.ts';
import { cloudEventOf } from './cloud-event.ts';
import { signedRecord } from './signed-line.ts';

const record: LogRecord = {
  id: 'rec_1',
  type: 'EventEmitted',
  version: 1,
  key: 'dc_1',
  data: { b: 1, a: [null, 'ü'] },
  at: 1_700_000_000_123,
  workspace: 'o_1',
  correlationId: 'req_1',
  causationId: 'cmd_1',
};

test('a record is signed as the CloudEvent that auditors read, with its time and workspace', () => {
  const { line, leaf } = signedRecord('channels', record);
  expect(line).toBe(JSON.stringify(cloudEventOf('channels', record)));
  expect(line.startsWith('{"specversion":"1.0","id":"rec_1","source":"/wellspring/channels"')).toBe(true);
  expect(leaf).toEqual(leafOf(line, record.at, 'o_1'));
});

test('the workspace of the record before does not matter', () => {
  const other = { ...record, workspace: 'o_2' };
  const [first, second, third] = [record, other, record].map((one) => signedRecord('channels', one).leaf.workspace);
  expect(second).not.toBe(first);
  expect(third).toBe(first);
});

test('any record on the log gives a JSON line and one time', () => {
  const fields = ['id', 'type', 'version', 'key', 'data', 'at', 'workspace', 'correlationId', 'causationId', 'actor'];
  const anything = fc.dictionary(fc.constantFrom(...fields), fc.jsonValue());
  fc.assert(
    fc.property(anything, fc.boolean(), (given, isComplete) => {
      const oddRecord = { ...(isComplete ? record : {}), ...given } as unknown as LogRecord;
      const { line, leaf } = signedRecord('runs', oddRecord);
      expect(Date.parse((JSON.parse(line) as { time: string }).time)).toBe(leaf.time);
      expect(signedRecord('runs', oddRecord).leaf).toEqual(leaf);
    }),
  );
});

test('a record nested too deep to be written is signed by a placeholder line', () => {
  const deep = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`) as unknown;
  const { line, leaf } = signedRecord('runs', { ...record, data: deep });
  expect(JSON.parse(line)).toMatchObject({ id: '', time: new Date(record.at).toISOString() });
  expect(leaf.time).toBe(record.at);
  expect(signedRecord('runs', { ...record, id: deep } as unknown as LogRecord).line).toBe(line);
});
