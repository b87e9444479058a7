// Every signed record can be proved, and any two checkpoints of a partition are consistent.
import { faultOfExtension, faultOfRecord } from '../../../../../verifier/index.ts';
import type { AuditWorld } from '../../../../audit/audit-world.fake.ts';
import { checkpointsFrom, type SignedCheckpoint } from '../signed/checkpoints.ts';
import { ownWorkspace, signedWorld, tamperWith } from '../signed/history-world.fake.ts';
import { checkpointId, readCheckpointId } from './checkpoint-id.ts';
import { findCheckpoint, findCoveringCheckpoint } from './find-checkpoint.ts';
import { findRecord } from './find-record.ts';
import { listCheckpoints } from './list-checkpoints.ts';
import { proveExtension } from './prove-extension.ts';
import { proveRecord } from './prove-record.ts';

let world: AuditWorld;
let keys: readonly string[];
beforeAll(async () => {
  world = await signedWorld();
  keys = world.keys().map(({ publicKey }) => publicKey);
});
afterAll(() => world.task.stop(0));

async function signedOf(topic: string): Promise<readonly SignedCheckpoint[]> {
  const matching: SignedCheckpoint[] = [];
  for await (const each of checkpointsFrom(world.log, 0)) if (each.data.topic === topic) matching.push(each);
  return matching;
}

test('proves each signed record, and its proof fits no other record', async () => {
  const all = world.records('channels').slice(0, 26);
  for (const [index, record] of all.entries()) {
    const foundRecord = { topic: 'channels', partition: 0, record } as const;
    const signed = await findCoveringCheckpoint(world.log, foundRecord);
    if (typeof signed === 'string') throw new Error(`${record.id} is ${signed}`);
    const proof = await proveRecord(world.log, signed.data, record.offset);
    if (proof === undefined) throw new Error(`${record.id} cannot be proved`);
    expect(proof.index).toBe(index);
    const { line, signatures } = signed.data;
    const fullProof = { ...proof, checkpoint: { line, signatures } };
    expect(faultOfRecord(fullProof, keys)).toBeUndefined();
    expect(faultOfRecord({ ...fullProof, line: fullProof.line.replace('"at":', '"to":') }, keys)).toMatch(
      'does not lead',
    );
    expect(faultOfRecord({ ...fullProof, index: index + 1 }, keys)).toMatch('does not lead');
    expect(faultOfRecord(fullProof, [Buffer.alloc(32, 5).toString('base64')])).toMatch('key');
  }
});

test('finds a record by its id alone or with topic and time, but only in its own workspace', async () => {
  const record = world.records('runs', 1)[2];
  if (record === undefined) throw new Error('there are three runs');
  const sought = { id: record.id, workspace: ownWorkspace, topic: undefined, time: undefined };
  const there = { topic: 'runs', partition: 1, record: { id: record.id } };
  expect(await findRecord(world.log, sought)).toMatchObject(there);
  expect(await findRecord(world.log, { ...sought, topic: 'runs', time: record.at })).toMatchObject(there);
  expect(await findRecord(world.log, { ...sought, topic: 'channels' })).toBeUndefined();
  expect(await findRecord(world.log, { ...sought, time: record.at + 1 })).toBeUndefined();
  expect(await findRecord(world.log, { ...sought, workspace: 'o_2' })).toBeUndefined();
});

test('reports a record that no checkpoint has signed yet as unsigned', async () => {
  const record = world.records('deliveries')[0];
  if (record === undefined) throw new Error('there is a delivery');
  expect(await findCoveringCheckpoint(world.log, { topic: 'deliveries', partition: 0, record })).toBe('unsigned');
});

test('proves that any two checkpoints of a partition are consistent', async () => {
  const all = await signedOf('channels');
  expect(all.length).toBe(13);
  for (const [at, from] of all.entries()) {
    for (const to of all.slice(at)) {
      const proof = await proveExtension(world.log, from, to);
      if (proof.kind !== 'proved') throw new Error(`it is ${proof.kind}`);
      expect(faultOfExtension({ from: from.data, to: to.data, path: proof.path }, keys)).toBeUndefined();
      if (proof.path.length > 0)
        expect(faultOfExtension({ from: from.data, to: to.data, path: [] }, keys)).toMatch('extend');
    }
  }
});

test('proves nothing about records that are no longer on the log', async () => {
  const [from, to] = (await signedOf('channels')).slice(-2);
  const [removed] = world.records('channels').slice(-3);
  if (from === undefined || to === undefined || removed === undefined) throw new Error('there are checkpoints');
  const log = tamperWith(world.log, { changed: (_, record) => (record.id === removed.id ? undefined : record) });
  expect(await proveExtension(log, from, to)).toEqual({ kind: 'gone' });
  expect(await proveRecord(log, to.data, removed.offset)).toBeUndefined();
});

test('lists checkpoints in pages and finds them by their ids', async () => {
  const ids: string[] = [];
  let after: string | undefined;
  do {
    const page = await listCheckpoints(world.log, {
      topic: 'channels',
      limit: 5,
      ...(after === undefined ? {} : { after }),
    });
    ids.push(...page.data.map(({ id }) => id));
    after = page.end_cursor ?? undefined;
  } while (after !== undefined);
  expect(ids).toEqual(world.checkpoints('channels').map(checkpointId));
  const key = readCheckpointId(ids[3] ?? '');
  if (key === undefined) throw new Error('an id can be read');
  expect((await findCheckpoint(world.log, key))?.checkpoint).toMatchObject(key);
  expect(await findCheckpoint(world.log, { ...key, count: key.count + 1 })).toBeUndefined();
  expect(readCheckpointId('channels-0-1')).toBeUndefined();
});
