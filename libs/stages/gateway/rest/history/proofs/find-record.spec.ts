import { derivedId, timedId } from '../../../../../domain/id.ts';
import { outgoing } from '../../../../../log/contract/harness.ts';
import { MemoryLog } from '../../../../../log/log.fake.ts';
import type { OutgoingOn } from '../../../../../log/log.ts';
import { findRecord, recordsSearchedMax } from './find-record.ts';

const began = Date.parse('2026-06-01T12:00:00Z');
const secondMs = 1_000;

test('finds an id that contains its time among any number of records, and other ids only among the newest', async () => {
  const log = new MemoryLog({ partitions: 1 });
  const ids: string[] = [];
  for (let n = 0; n < 2 * recordsSearchedMax; n++) {
    const at = began + n * secondMs;
    const id = n % 2 === 0 ? timedId(derivedId('req', n), at) : derivedId('rec', n);
    ids.push(id);
    const record = { id, at: at + 5, workspace: 'o_1' };
    await log.request(outgoing('triggers', 0, record) as OutgoingOn<'triggers'>);
  }
  const isFound = async (n: number, time?: number): Promise<boolean> => {
    const id = ids.at(n) ?? '';
    return (await findRecord(log, { id, workspace: 'o_1', topic: 'triggers', time }))?.record.id === id;
  };
  expect([await isFound(0), await isFound(100), await isFound(-2)]).toEqual([true, true, true]);
  expect([await isFound(1), await isFound(-1)]).toEqual([false, true]);
  // A timer's request that was written long after it was due.
  const late = { id: timedId(derivedId('req', 'late'), began), at: began + 3_600 * secondMs, workspace: 'o_1' };
  await log.request(outgoing('triggers', 0, late) as OutgoingOn<'triggers'>);
  expect((await findRecord(log, { ...late, topic: 'triggers', time: undefined }))?.record.id).toBe(late.id);
  expect([await isFound(1, began + secondMs + 5), await isFound(1, began + recordsSearchedMax * secondMs)]).toEqual([
    true,
    false,
  ]);
});
