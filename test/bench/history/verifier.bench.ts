// How many records per second the export verifier checks on one core, from memory, because a disk is faster than it.
import { chunksOf, fakeKey, FakePartition, honestExport } from '../../../libs/verifier/export/honest-export.fake.ts';
import { verifyExport } from '../../../libs/verifier/index.ts';
import { figure } from '../report/figure.ts';
import type { Bench, Figure } from '../report/figure.ts';

const recordsDefault = 100_000;
/** Records that the service signs with one checkpoint. */
const windowRecords = 10_000;
const chunkBytes = 1024 * 1024;
const baseTime = Date.parse('2026-06-01T00:00:00Z');

export const auditVerify: Bench = { name: 'audit.verify', run: ({ size }) => run(size ?? recordsDefault) };

async function run(records: number): Promise<readonly Figure[]> {
  const file = createExport(records);
  // A warm-up, in which the code is compiled.
  await verifyExport(chunksOf(file, chunkBytes));
  const startedAt = process.cpuUsage();
  const report = await verifyExport(chunksOf(file, chunkBytes));
  const { user, system } = process.cpuUsage(startedAt);
  if (!report.isWhole || report.records !== records) throw new Error('the export is whole');
  return [figure('audit.verify', (records * 1e6) / (user + system), 'records/s', '>= 100000 records/s of a core')];
}

function createExport(records: number): Buffer {
  const keys = [fakeKey()];
  const partition = new FakePartition({ topic: 'channels', partition: 0 });
  for (let at = 0; at < records; at += 1) {
    const data = { order: at, items: ['a', 'b', { price: at / 100 }], note: 'x'.repeat(300) };
    partition.records.push({ id: `rec_${at}`, time: baseTime + at, workspace: 'o_1', data });
    if ((at + 1) % windowRecords === 0) partition.sign(baseTime + at, keys);
  }
  const query = { workspace: 'o_1', from: baseTime, to: baseTime + records, at: baseTime + records, keys };
  return Buffer.concat(honestExport([partition], query).map((line) => Buffer.from(`${line}\n`)));
}
