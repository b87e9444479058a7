// Records on `trees` and `checkpoints` that audit did not write are ignored: everything signed is still returned.
import type { LogRecord } from '../../../../../domain/message.ts';
import type { OutgoingOn } from '../../../../../log/log.ts';
import type { AuditWorld } from '../../../../audit/audit-world.fake.ts';
import { checkpointsFrom } from './checkpoints.ts';
import { askedAll, exported, signedWorld, verified } from './history-world.fake.ts';
import { Trees } from './trees.ts';

let world: AuditWorld;
beforeEach(async () => {
  world = await signedWorld();
});
afterEach(() => world.task.stop(0));

async function put(topic: 'trees' | 'checkpoints', change: Partial<LogRecord>): Promise<void> {
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
const strays = async (): Promise<void> => {
  const [key] = world.keys();
  const signed = world.checkpoints('channels').at(-1)?.data;
  const tree = world.log.records('trees').findLast(({ type }) => type === 'TreeMoved');
  if (key === undefined || signed === undefined || tree === undefined) throw new Error('there are signed records');
  await put('trees', {});
  await put('trees', { type: 'Unknown' });
  await put('trees', { data: tree.data, key: 'stray/1' });
  const foreign = { ...key, publicKey: Buffer.alloc(32, 7).toString('base64') };
  await put('trees', { type: 'AuditKeyMade', key: 'key/stray', data: foreign });
  await put('checkpoints', { type: 'CheckpointSigned' });
  await put('checkpoints', { type: 'CheckpointSigned', data: { ...signed, line: 'channels' } });
};

test('an export stays whole despite stray records', async () => {
  const keys = world.keys().map(({ publicKey }) => publicKey);
  await strays();
  const report = await verified(world, await exported(world.log, askedAll(world)), { keys });
  expect(report).toMatchObject({ isWhole: true, findings: [], records: 21 });
});

test('returns only keys and checkpoints of the audit stage', async () => {
  const [keys, checkpoints] = [world.keys(), world.checkpoints()];
  await strays();
  const trees = new Trees(world.log, world.masterKey);
  await trees.catchUp();
  expect(trees.keys).toEqual(keys.map(({ keyId, publicKey }) => ({ keyId, publicKey })));
  const read: string[] = [];
  for await (const { data } of checkpointsFrom(world.log, 0)) read.push(data.line);
  expect(read).toEqual(checkpoints.map(({ data }) => data.line));
});
