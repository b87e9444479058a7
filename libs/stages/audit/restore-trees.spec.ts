// Audit never continues from a tree that it did not write: it would sign a second history.
import type { TreeMoved } from '../../domain/audit/messages.ts';
import type { LogRecord } from '../../domain/message.ts';
import type { OutgoingOn } from '../../log/log.ts';
import { DamagedTreeError } from './restore-trees.ts';
import { AuditWorld } from './audit-world.fake.ts';

const minuteMs = 60_000;
const key = 'channels/0';

let world: AuditWorld;
let storedTree: LogRecord;
beforeEach(async () => {
  world = await AuditWorld.start();
  for (let round = 0; round < 2; round += 1) {
    await world.write('channels');
    await world.write('channels', {}, 1);
    await world.write('channels');
    await world.turn(0);
    await world.turn(minuteMs);
  }
  storedTree = newestOf(key);
});

afterEach(() => world.task.stop(0));

const newestOf = (of: string): LogRecord => {
  const found = world.log.records('trees').findLast((record) => record.key === of);
  if (found === undefined) throw new Error(`${of} was signed`);
  return found;
};

async function put(record: LogRecord): Promise<void> {
  const writer = await world.log.own('audit', 0);
  await writer.append([{ topic: 'trees', partition: 0, record } as unknown as OutgoingOn], writer.mark.positions);
}

const changes: readonly [string, (tree: TreeMoved) => object | undefined][] = [
  ['is gone', () => undefined],
  ['cannot be used', () => ({})],
  ['is that of another partition', () => newestOf('channels/1').data as TreeMoved],
  ['says another number of records', (tree) => ({ ...tree, count: tree.count + 1 })],
  ['has another edge', (tree) => ({ ...tree, edge: tree.edge.map(() => '0'.repeat(64)) })],
  ['reads on elsewhere', (tree) => ({ ...tree, offset: tree.offset - 1 })],
  ['was trimmed further', (tree) => ({ ...tree, trimmed: { count: 1, offset: 1 } })],
  ['is signed by nobody', (tree) => ({ ...tree, signatures: [] })],
  [
    'has another line',
    (tree) => ({ ...tree, line: tree.line.replace(/"time":\d+/, '"time":1'), signatures: tree.signatures }),
  ],
];

test.each(changes)('stops when a tree %s, and continues once it is restored', async (_, change) => {
  await put({ ...storedTree, data: change(storedTree.data as TreeMoved) });
  const opened = world.open();
  await expect(opened).rejects.toThrow(DamagedTreeError);
  await expect(opened).rejects.toThrow(/^The record of channels\/0 on trees is not as the audit stage left it/);
  expect(world.alerts).toEqual([
    ['malformed_record', 'trees', expect.stringMatching(/channels\/0 .* from a backup\.$/)],
  ]);
  const signed = world.checkpoints('channels').length;
  await put(storedTree);
  await world.open();
  await world.write('channels');
  await world.turn(0);
  await world.turn(minuteMs);
  expect(world.checkpoints('channels').slice(signed)).toMatchObject([{ count: 5 }]);
  expect(world.areSigned()).toBe(true);
});
