import { partitionOf } from '../../../../domain/flow.ts';
import { MemoryLog } from '../../../../log/log.fake.ts';
import { CheckedLog } from '../../../loop/reading/checked-log.ts';
import { readFetchedCode, readFetchedComponents } from './fetched-code.ts';

const components = [{ key: 'acme-new', type: 'source', name: 'New', description: '' }] as const;
const fetchId = 'fetch_1';

/** A log whose topic `hooks` begins with the components listed for this id. */
async function logWith(listedFor: string): Promise<CheckedLog> {
  const log = new MemoryLog({ partitions: 2 });
  const partition = partitionOf(fetchId, log.partitions);
  const writer = await log.own('runtime', partition);
  const record = {
    id: 'rec_1',
    type: 'ComponentsListed',
    version: 7,
    key: listedFor,
    at: 1,
    workspace: 'o_1',
    correlationId: 'req_1',
    causationId: 'req_1',
    data: { sourceId: listedFor, revision: 1, components },
  } as const;
  await writer.append([{ topic: 'hooks', partition, record }], {});
  return new CheckedLog(log, { reportMalformed: () => {}, reportNewer: () => {} });
}

test('what was found is read at the offset in its outcome', async () => {
  const log = await logWith(fetchId);
  expect(await readFetchedComponents(log, { fetchId, hooksOffset: 0 })).toEqual(components);
});

test('an outcome of an earlier version contains what was found', async () => {
  const log = await logWith('fetch_other');
  expect(await readFetchedComponents(log, { fetchId, components })).toEqual(components);
  expect(await readFetchedCode(log, { fetchId, code: 'c' })).toBe('c');
});

test('if another record is at the offset by now, the answer asks to repeat the request', async () => {
  const log = await logWith('fetch_other');
  const expired = { status: 503, code: 'unavailable' };
  for (const hooksOffset of [0, 1]) {
    await expect(readFetchedComponents(log, { fetchId, hooksOffset })).rejects.toMatchObject(expired);
    await expect(readFetchedCode(log, { fetchId, hooksOffset })).rejects.toMatchObject(expired);
  }
});
