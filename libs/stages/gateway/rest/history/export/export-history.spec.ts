// The verifier confirms that an export is whole, and names what somebody has tampered with on the log.
import type { AuditWorld } from '../../../../audit/audit-world.fake.ts';
import type { Finding } from '../../../../../verifier/index.ts';
import {
  fullExportRequest,
  exportText,
  minuteMs,
  ownWorkspace,
  signedWorld,
  tamperWith,
  verifyText,
} from '../signed/history-world.fake.ts';
import { readExportCursor } from './export-cursor.ts';

let world: AuditWorld;
beforeEach(async () => {
  world = await signedWorld();
});
afterEach(() => world.task.stop(0));

const briefly = (findings: readonly Finding[]): readonly string[] =>
  findings.map(({ kind, topic, partition, index, id }) => [kind, topic, partition, index, id].join(' '));
/** Signs until a checkpoint has at least this many trimmed records of partition 0, and returns their number. */
async function untilTrimmed(topic: 'channels' | 'runs', least = 1): Promise<number> {
  const trimmed = (): number => world.checkpoints(topic).at(-1)?.trimmed ?? 0;
  for (let turns = 0; trimmed() < least; turns += 1) {
    if (turns > 1_000) throw new Error('what was trimmed is not signed');
    await new Promise(setImmediate);
    await world.turn(minuteMs);
  }
  return trimmed();
}

const linesOf = (text: string): readonly string[] => text.split('\n').slice(0, -1);

describe('an export', () => {
  test('is whole, with the records of the workspace and hashes of all others', async () => {
    const report = await verifyText(world, await exportText(world.log, fullExportRequest(world)));
    expect(report.findings).toEqual([]);
    expect(report).toMatchObject({ isWhole: true, workspace: ownWorkspace, records: 21, outside: 13, unsigned: 2 });
  });

  test('of any time range is whole and holds only the records of that range', async () => {
    const records = [
      ...world.records('channels'),
      ...world.records('runs', 1),
      ...world.records('commands'),
      ...world.records('deliveries'),
    ];
    const began = records[0]?.at ?? 0;
    for (const [from, to] of [
      [0, 1],
      [2, 5],
      [4, 100],
      [-5, -1],
      [13, 50],
    ] as const) {
      const position = { from: began + from * minuteMs, to: began + to * minuteMs, at: world.now };
      const report = await verifyText(world, await exportText(world.log, { workspace: ownWorkspace, position }));
      expect(report.findings).toEqual([]);
      const isIn = ({ at, workspace }: { at: number; workspace: string }): boolean =>
        workspace === ownWorkspace && at >= position.from && at < position.to;
      expect(report.records).toBe(records.filter(isIn).length);
    }
  });

  test('continues from any of its cursors, byte for byte', async () => {
    const request = fullExportRequest(world);
    const text = await exportText(world.log, request);
    const cursors = linesOf(text).filter((line) => line.startsWith('{"cursor":'));
    expect(cursors.length).toBeGreaterThan(10);
    for (const line of cursors) {
      const { cursor } = JSON.parse(line) as { cursor: string };
      const position = readExportCursor(cursor);
      if (position === undefined) throw new Error('a cursor can be read');
      const { from, to, at, records, next } = position;
      const continuation = await exportText(world.log, {
        workspace: ownWorkspace,
        position: { from, to, at },
        resumeFrom: { cursor, records, next },
      });
      expect(text.slice(0, text.indexOf(line) + line.length + 1) + continuation).toBe(text);
    }
  });

  test('rejects cursors that it did not issue', () => {
    expect(readExportCursor('')).toBeUndefined();
    expect(readExportCursor(Buffer.from('{"digest":"a","records":1}').toString('base64url'))).toBeUndefined();
  });

  test('starts after the trimmed records and reports them', async () => {
    const { now } = world;
    const before = now - 5 * minuteMs - 1;
    await world.write('retention', { type: 'RetentionMoved', key: 'retention', data: { before, hooksBefore: before } });
    await world.turn(0);
    const trimmed = await untilTrimmed('channels');
    const [first] = world.records('channels').slice(trimmed);
    await world.log.trim('channels', 0, first?.offset ?? 0);
    const report = await verifyText(world, await exportText(world.log, fullExportRequest(world)));
    expect(report.findings).toEqual([]);
    expect(report.trimmed).toContainEqual(expect.objectContaining({ topic: 'channels', partition: 0 }));
  });
});

describe('an export that starts in the middle of its newest checkpoint', () => {
  /** Partition 0 of runs: six records signed together, the first four removed by retention. */
  beforeEach(async () => {
    const hourMs = 60 * minuteMs;
    for (let at = 0; at < 6; at += 1) await world.write('runs', { at: world.now - (at < 4 ? hourMs : 0) });
    const before = world.now - minuteMs;
    await world.write('retention', { type: 'RetentionMoved', key: 'retention', data: { before, hooksBefore: before } });
    await world.turn(0);
    await untilTrimmed('runs', 4);
    const [, , , , fifth] = world.records('runs');
    await world.log.trim('runs', 0, fifth?.offset ?? 0);
  });

  test('reports all its records as trimmed, because a partial checkpoint cannot be proved', async () => {
    const report = await verifyText(world, await exportText(world.log, fullExportRequest(world)));
    expect(report.findings).toEqual([]);
    expect(report.trimmed).toContainEqual({ topic: 'runs', partition: 0, records: 6 });
  });

  test('contains later records that are not signed yet', async () => {
    await world.write('runs');
    const text = await exportText(world.log, fullExportRequest(world));
    const report = await verifyText(world, text);
    expect(report.findings).toEqual([]);
    expect(text).toContain('{"topic":"runs","partition":0,"index":6,');
  });
});

describe('a tampered log', () => {
  const fifth = (): { id: string; offset: number } => {
    const record = world.records('channels')[4];
    if (record === undefined) throw new Error('there are five records');
    return record;
  };

  test('shows which record was changed', async () => {
    const { id } = fifth();
    const log = tamperWith(world.log, {
      changed: (_, record) => (record.id === id ? { ...record, data: { at: 'another' } } : record),
    });
    const { findings } = await verifyText(world, await exportText(log, fullExportRequest(world)));
    expect(briefly(findings)).toEqual([`changed channels 0 4 ${id}`]);
  });

  test('shows which record was removed', async () => {
    const { id } = fifth();
    const log = tamperWith(world.log, { changed: (_, record) => (record.id === id ? undefined : record) });
    const { findings } = await verifyText(world, await exportText(log, fullExportRequest(world)));
    expect(briefly(findings)).toEqual(['missing channels 0 4 ']);
  });

  test('is compared with every checkpoint that somebody kept', async () => {
    const keptCheckpoints = world
      .checkpoints('channels')
      .map(({ data: { line, signatures } }) => ({ line, signatures }));
    const text = await exportText(world.log, fullExportRequest(world));
    expect((await verifyText(world, text, { checkpoints: keptCheckpoints })).kept).toEqual({
      compared: keptCheckpoints.length,
      beyond: 0,
    });
  });
});
