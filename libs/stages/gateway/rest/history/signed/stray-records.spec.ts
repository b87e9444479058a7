// Records on `trees` and `checkpoints` that audit did not write are ignored: everything signed is still returned.
import type { LogRecord } from '../../../../../domain/message.ts';
import type { OutgoingOn } from '../../../../../log/log.ts';
import type { AuditWorld } from '../../../../audit/audit-world.fake.ts';
import { checkpointsFrom } from './checkpoints.ts';
import { fullExportRequest, exportText, signedWorld, verifyText } from './history-world.fake.ts';
import { Trees } from './trees.ts';

let world: AuditWorld;
beforeEach(async () => {
  world = await signedWorld();
});
afterEach(() => world.task.stop(0));

async function appendChanged(topic: 'trees' | 'checkpoints', change: Partial<LogRecord>): Promise<void> {
  const record: LogRecord = {
    id: 'rec_stray',
    type: 'TreeMoved',
    version: 7,
    key: 'stray',
    data: {},
    at: world.now,
    workspace: '',
    correlationId: 'rec_stray',
    causationId: 'rec_stray',
    ...change,
  };
  const writer = await world.log.own('audit', 0);
  await writer.append([{ topic, partition: 0, record } as unknown as OutgoingOn], writer.mark.positions);
}

/** Strays have their own keys, because the topic keeps only the newest record of each key. */
const appendStrays = async (): Promise<void> => {
  const [key] = world.keys();
  const signed = world.checkpoints('channels').at(-1)?.data;
  const tree = world.log.records('trees').findLast(({ type }) => type === 'TreeMoved');
  if (key === undefined || signed === undefined || tree === undefined) throw new Error('there are signed records');
  await appendChanged('trees', {});
  await appendChanged('trees', { type: 'Unknown' });
  await appendChanged('trees', { data: tree.data, key: 'stray/1' });
  const foreign = { ...key, publicKey: Buffer.alloc(32, 7).toString('base64') };
  await appendChanged('trees', { type: 'AuditKeyMade', key: 'key/stray', data: foreign });
  await appendChanged('checkpoints', { type: 'CheckpointSigned' });
  await appendChanged('checkpoints', { type: 'CheckpointSigned', data: { ...signed, line: 'channels' } });
};

test('an export stays whole despite stray records', async () => {
  const keys = world.keys().map(({ publicKey }) => publicKey);
  await appendStrays();
  const report = await verifyText(world, await exportText(world.log, fullExportRequest(world)), { keys });
  expect(report).toMatchObject({ isWhole: true, findings: [], records: 21 });
});

test('returns only keys and checkpoints of the audit stage', async () => {
  const [keys, checkpoints] = [world.keys(), world.checkpoints()];
  await appendStrays();
  const trees = new Trees(world.log, world.masterKey);
  await trees.catchUp();
  expect(trees.keys).toEqual(keys.map(({ keyId, publicKey }) => ({ keyId, publicKey })));
  const read: string[] = [];
  for await (const { data } of checkpointsFrom(world.log, 0)) read.push(data.line);
  expect(read).toEqual(checkpoints.map(({ data }) => data.line));
});
