// Audit signs every record once, in order, and continues from its last checkpoint after a crash.
import { treeKey } from '../../domain/audit/messages.ts';
import { windowRecordsMax } from '../../domain/audit/partition-tree.ts';
import { signedTopics } from '../../domain/flow.ts';
import type { SignedTopic } from '../../domain/flow.ts';
import { signedRecord } from '../../domain/history/signed-line.ts';
import { chainFrom } from '../../domain/trace/chain.ts';
import { hashOfLeaf } from '../../verifier/leaf.ts';
import { Edge } from '../../verifier/tree/edge.ts';
import { sha256Hex } from '../../verifier/tree/hashes.ts';
import { createAuditKey } from '../../domain/audit/key.ts';
import { keyRecord } from './signing/checkpoint-records.ts';
import { AuditWorld } from './audit-world.fake.ts';

const minuteMs = 60_000;

let world: AuditWorld;

beforeEach(async () => {
  world = await AuditWorld.start();
});

afterEach(() => world.task.stop(0));

function rootOf(topic: SignedTopic, count: number, partition = 0): string {
  const edge = new Edge();
  for (const record of world.records(topic, partition).slice(0, count))
    edge.append(hashOfLeaf(signedRecord(topic, record).leaf));
  return edge.root().toString('hex');
}

/** No count is signed twice, each root matches the log, and each checkpoint names the one before. */
function expectHonest(): void {
  const last = new Map<string, { count: number; hash: string }>();
  for (const { data, ...checkpoint } of world.checkpoints()) {
    const { topic, partition, count, previous, root } = checkpoint;
    const key = treeKey(topic, partition);
    const before = last.get(key);
    expect(count).toBeGreaterThan(before?.count ?? 0);
    expect(previous).toBe(before?.hash ?? '');
    expect(data.window).toMatchObject({ first: before?.count ?? 0 });
    expect(root).toBe(rootOf(data.topic, count, partition));
    last.set(key, { count, hash: sha256Hex(data.line) });
  }
  expect(world.areSigned()).toBe(true);
}

test('everything is signed a minute after the first record, and nothing while no records come', async () => {
  await world.write('commands');
  await world.write('channels', {}, 1);
  await world.turn(0);
  await world.turn(minuteMs - 1);
  expect(world.checkpoints()).toHaveLength(0);
  await world.write('channels', {}, 1);
  await world.turn(1);
  expect(world.checkpoints().map(({ topic, partition, count }) => [topic, partition, count])).toEqual([
    ['commands', 0, 1],
    ['channels', 1, 2],
  ]);
  expectHonest();
  for (let i = 0; i < 5; i++) await world.turn(minuteMs);
  expect(world.checkpoints()).toHaveLength(2);
});

test('signs a partition at once when it has as many new records as one checkpoint holds', async () => {
  const record = (at: number) => ({ ...envelope(at), at: world.now + at });
  const all = Array.from({ length: windowRecordsMax + 1 }, (_, at) => record(at));
  for (let from = 0; from < all.length; from += 1_000) await world.append('runs', all.slice(from, from + 1_000));
  await world.turn(0);
  const [checkpoint] = world.checkpoints('runs');
  expect(world.checkpoints()).toHaveLength(1);
  expect(checkpoint?.count).toBe(windowRecordsMax);
  expect(checkpoint?.newest).toBe(world.now + windowRecordsMax - 1);
  expect(Buffer.from(checkpoint?.data.prints ?? '', 'base64')).toHaveLength(3 * windowRecordsMax);
  expect(checkpoint?.data.subtrees.filter(({ level }) => level === 10)).toHaveLength(9);
  await world.turn(minuteMs);
  expect(world.checkpoints('runs').map(({ count }) => count)).toEqual([windowRecordsMax, windowRecordsMax + 1]);
  expectHonest();
});

const envelope = (at: number) => ({
  id: `rec_n${at}`,
  type: 'Unknown',
  version: 1,
  key: 'dc_1',
  data: { at },
  workspace: 'o_1',
  correlationId: 'c',
  causationId: 'c',
});

test('records that audit itself causes do not start a round, and are signed with the next one', async () => {
  await world.write('triggers', chainFrom('req_1', 'audit'));
  await world.turn(0);
  await world.turn(10 * minuteMs);
  expect(world.checkpoints()).toHaveLength(0);
  await world.write('runs');
  await world.turn(0);
  await world.turn(minuteMs);
  expect(world.checkpoints().map(({ topic }) => topic)).toEqual(['triggers', 'runs']);
});

test('counts the same records again after a crash and signs none of them twice', async () => {
  for (let i = 0; i < 5; i++) await world.write('channels');
  await world.turn(0);
  await world.turn(minuteMs);
  for (let i = 0; i < 3; i++) await world.write('channels');
  await world.write('deliveries');
  await world.turn(0);
  world.stopAfterAppends(0);
  await world.turn(minuteMs);
  await world.open();
  expect(world.checkpoints('channels')).toHaveLength(1);
  await world.turn(0);
  expect(world.checkpoints('channels').map(({ count }) => count)).toEqual([5, 8]);
  await world.open();
  await world.write('channels');
  await world.turn(0);
  await world.turn(minuteMs);
  expect(world.checkpoints('channels').map(({ count }) => count)).toEqual([5, 8, 9]);
  expect(world.keys()).toHaveLength(1);
  expectHonest();
});

test('an owner that has lost the partition signs nothing more', async () => {
  await world.write('channels');
  await world.turn(0);
  await world.log.own('audit', 0);
  await expect(world.turn(minuteMs)).rejects.toMatchObject({ code: 'fenced' });
  expect(world.checkpoints()).toHaveLength(0);
});

test('malformed records are signed in their place', async () => {
  await world.write('channels', { version: 0 });
  await world.write('channels', { at: Number.NaN });
  await world.write('channels', { type: '' });
  await world.turn(0);
  await world.turn(minuteMs);
  expect(world.checkpoints('channels').map(({ count }) => count)).toEqual([3]);
  expectHonest();
});

test('signs every topic that keeps its history', async () => {
  for (const topic of signedTopics) await world.write(topic);
  await world.turn(0);
  await world.turn(minuteMs);
  expect(world.checkpoints().map(({ topic }) => topic)).toEqual(signedTopics);
  expectHonest();
});

test('the checkpoint of a partition is written in parts that fit into one append each', async () => {
  for (const topic of signedTopics)
    for (const partition of [0, 1]) if (isWide(topic)) await world.write(topic, {}, partition);
  await world.turn(0);
  await world.turn(minuteMs);
  expect(world.checkpoints()).toHaveLength(2 * signedTopics.filter(isWide).length);
});

const isWide = (topic: SignedTopic): boolean => topic === 'runs' || topic === 'channels';

test('stops with instructions when started with another master key', async () => {
  await world.turn(0);
  world.masterKey = Buffer.alloc(32, 2);
  await expect(world.open()).rejects.toThrow('The master key does not open the audit key. Start with the MASTER_KEY');
});

test('keys that another program wrote are ignored', async () => {
  await world.turn(0);
  const foreign = createAuditKey(Buffer.alloc(32, 2), Buffer.alloc(32, 3), Buffer.alloc(12));
  const writer = await world.log.own('audit', 0);
  await writer.append([keyRecord(foreign, 0), keyRecord({ keyId: '', publicKey: '', sealed: '' }, 0)], {});
  await world.open();
  await world.write('channels');
  await world.turn(0);
  await world.turn(minuteMs);
  expect(world.checkpoints('channels').map(({ count }) => count)).toEqual([1]);
  expect(world.checkpoints('channels')[0]?.keyId).toBe(world.keys()[0]?.keyId);
});

describe('a key change', () => {
  const change = (formerKeyId = world.keys().at(-1)?.keyId) =>
    world.write('commands', { type: 'ChangeAuditKey', version: 7, data: { formerKeyId } });
  const signersOf = (topic: SignedTopic): readonly (readonly (number | undefined)[])[] => {
    const numbers = new Map(world.keys().map(({ keyId }, number) => [keyId, number]));
    return world.checkpoints(topic).map(({ data }) => data.signatures.map(({ keyId }) => numbers.get(keyId)));
  };
  const round = async (): Promise<void> => {
    await world.write('channels');
    await world.turn(0);
    await world.turn(minuteMs);
  };

  test('lets both keys sign the next checkpoint of a partition, and only the new key sign later ones', async () => {
    await round();
    await change();
    await round();
    await round();
    expect(signersOf('channels')).toEqual([[0], [1, 0], [1]]);
    expectHonest();
  });

  test('happens once, however often its command is read', async () => {
    await round();
    await change();
    await world.turn(0);
    for (const _ of [1, 2]) {
      await world.open();
      await world.turn(0);
    }
    await round();
    expect(world.keys()).toHaveLength(2);
    expect(signersOf('channels')).toEqual([[0], [1, 0]]);
    expectHonest();
  });

  test('happens after a restart if a crash prevented its append', async () => {
    await round();
    await change();
    world.stopAfterAppends(0);
    await world.turn(0);
    expect(world.keys()).toHaveLength(1);
    await world.open();
    await round();
    expect(world.keys()).toHaveLength(2);
    expectHonest();
  });

  test('made twice between two checkpoints links the first key to the last', async () => {
    await round();
    await change();
    await world.turn(0);
    await change();
    await round();
    expect(signersOf('channels')).toEqual([[0], [2, 0]]);
  });

  test('happens once when two requests arrive at the same time', async () => {
    await round();
    await change();
    await change();
    await round();
    expect(world.keys()).toHaveLength(2);
  });
});
