// An honest export is whole; any change to it is found, and the record named.
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Finding } from './findings.ts';
import {
  type ExportRequest,
  chunksOf,
  fakeKey,
  FakePartition,
  honestExport,
  recomputeDigests,
} from './honest-export.fake.ts';
import { verifyExport, type VerifyOptions } from './verify-export.ts';

const key = fakeKey();
const nextKey = fakeKey();
const own = 'o_own';
const noon = 1_700_000_000_000;

/** Records of two workspaces a second apart; a checkpoint after each seven of them. */
function partitionOf(topic: string, partition: number, count: number): FakePartition {
  const made = new FakePartition({ topic, partition });
  for (let at = 0; at < count; at += 1) {
    const time = noon + at * 1_000;
    const data = { text: `é\u{1F4DC}${'x'.repeat(at % 5)}`, at };
    made.records.push({ id: `${topic}-${partition}-${at}`, time, workspace: at % 3 === 1 ? 'o_other' : own, data });
    if (at % 7 === 6) made.sign(time + 500, [key]);
  }
  return made;
}

const request: ExportRequest = { workspace: own, from: noon, to: noon + 3_600_000, at: noon + 4_000_000, keys: [key] };
const partitions = [partitionOf('channels', 0, 33), partitionOf('channels', 1, 14), partitionOf('commands', 0, 3)];
const lines = honestExport(partitions, request);

const defaultOptions: VerifyOptions = { keys: [key.publicKey] };
const bytesOf = (all: readonly string[]): Buffer => Buffer.from(all.map((line) => `${line}\n`).join(''));
const verify = (all: readonly string[], options: VerifyOptions = defaultOptions) =>
  verifyExport(chunksOf(bytesOf(all)), options);
const briefly = (findings: readonly Finding[]): readonly string[] =>
  findings.map(({ kind, topic, partition, index, id }) =>
    [kind, topic === undefined ? undefined : `${topic}/${partition}`, index, id]
      .filter((part) => part !== undefined)
      .join(' '),
  );
const lineOf = (topic: string, index: number): number =>
  lines.findIndex((line) => line.startsWith(`{"topic":"${topic}","partition":0,"index":${index},`));

describe('an honest export', () => {
  it('is whole, and reports what is signed and what is not yet', async () => {
    const report = await verify(lines);
    expect(report.findings).toEqual([]);
    expect(report).toMatchObject({
      isWhole: true,
      keys: 'given',
      partitions: 3,
      checkpoints: 6,
      outside: 17,
      records: 33,
    });
    expect(report.unsigned).toBe(8);
  });

  it('is whole when read in chunks of any size', async () => {
    const law = fc.asyncProperty(fc.integer({ min: 1, max: 3_000 }), async (size) => {
      expect((await verifyExport(chunksOf(bytesOf(lines), size), defaultOptions)).isWhole).toBe(true);
    });
    await fc.assert(law, { numRuns: 20 });
  });

  it('is whole for every requested time range', async () => {
    const law = fc.asyncProperty(fc.integer({ min: -5, max: 40 }), fc.nat({ max: 45 }), async (start, seconds) => {
      const from = noon + start * 1_000;
      const { findings, records } = await verify(
        honestExport(partitions, { ...request, from, to: from + seconds * 1_000 }),
      );
      expect(findings).toEqual([]);
      const isIn = (time: number): boolean => time >= from && time < from + seconds * 1_000;
      const held = partitions
        .flatMap((each) => each.records)
        .filter((each) => each.workspace === own && isIn(each.time));
      expect(records).toBe(held.length);
    });
    await fc.assert(law);
  });

  it('is checked with the keys in the export when none are given, and the report says so', async () => {
    expect(await verify(lines, {})).toMatchObject({ isWhole: true, keys: 'export', keyIds: [key.id] });
  });
});

/** Replacing a digit by a digit keeps the line readable, other changes do not: both kinds are tried. */
const anyByte = fc.tuple(fc.nat({ max: bytesOf(lines).length - 1 }), fc.integer({ min: 1, max: 255 }));
const anyLine = fc.nat({ max: lines.length - 1 });
const finds = async (changed: Buffer | readonly string[]): Promise<void> => {
  const bytes = Buffer.isBuffer(changed) ? changed : bytesOf(changed);
  expect((await verifyExport(chunksOf(bytes), defaultOptions)).found).toBeGreaterThan(0);
};

describe('any single change', () => {
  it('of a byte is found', async () => {
    const law = fc.asyncProperty(anyByte, async ([at, by]) => {
      const changed = bytesOf(lines);
      changed.writeUInt8(changed.readUInt8(at) ^ by, at);
      await finds(changed);
    });
    await fc.assert(law, { numRuns: 400 });
  });

  it('is found: a dropped, repeated or moved line, and a truncated file', async () => {
    const law = fc.asyncProperty(anyLine, anyLine, async (at, to) => {
      const [line = ''] = lines.slice(at, at + 1);
      await finds(lines.toSpliced(at, 1));
      await finds(lines.toSpliced(to, 0, line));
      const moved = lines.toSpliced(at, 1).toSpliced(to, 0, line);
      if (moved[at] !== lines[at]) await finds(moved);
      await finds(lines.slice(0, at));
      await finds(bytesOf(lines).subarray(0, -1));
    });
    await fc.assert(law, { numRuns: 60 });
  });

  it('of a signed record is found and named even when the digests in the file are recomputed', async () => {
    const signed = lines.flatMap((line, at) => (/"index":/.test(line) && isSigned(line) ? [at] : []));
    const law = fc.asyncProperty(fc.constantFrom(...signed), fc.nat(), async (at, nth) => {
      const line = lines[at] ?? '';
      const { topic, partition, index } = JSON.parse(line) as { topic: string; partition: number; index: number };
      const digits = [...line.matchAll(/\d/g)]
        .map((match) => match.index)
        .filter((position) => position > line.search(/,"data"|"time":\d/));
      const position = digits[nth % digits.length] ?? 0;
      const changed = `${line.slice(0, position)}${(Number(line[position]) + 1) % 10}${line.slice(position + 1)}`;
      const { findings } = await verify(recomputeDigests(lines.with(at, changed)));
      expect(findings).toContainEqual(expect.objectContaining({ kind: 'changed', topic, partition, index }));
      const dropped = await verify(recomputeDigests(lines.toSpliced(at, 1)));
      expect(dropped.findings).toContainEqual(expect.objectContaining({ kind: 'missing', topic, partition, index }));
    });
    await fc.assert(law, { numRuns: 100 });
  });
});

/** The last five of channels/0 and all of commands/0 are not signed yet. */
const isSigned = (line: string): boolean => !/"commands"|"partition":0,"index":(28|29|3\d)/.test(line);

describe('a change with recomputed digests', () => {
  const record = (index: number): string => lines[lineOf('channels', index)] ?? '';

  it('is named: a change, a drop, an addition, a swap', async () => {
    const at = lineOf('channels', 9);
    const changed = record(9).replace('"at":9', '"at":8');
    expect(briefly((await verify(recomputeDigests(lines.with(at, changed)))).findings)).toEqual([
      'changed channels/0 9 channels-0-9',
    ]);
    expect(briefly((await verify(recomputeDigests(lines.toSpliced(at, 1)))).findings)).toEqual([
      'missing channels/0 9',
    ]);
    const added = record(9).replace('channels-0-9', 'channels-0-99');
    expect(briefly((await verify(recomputeDigests(lines.toSpliced(at + 1, 0, added)))).findings)).toEqual([
      'added channels/0 9 channels-0-99',
    ]);
    const swapped = lines.with(at, numbered(record(11), 9)).with(at + 2, numbered(record(9), 11));
    const found = briefly((await verify(recomputeDigests(swapped))).findings);
    expect(found.length).toBeGreaterThan(0);
    for (const finding of found) expect(finding).toMatch(/^moved channels\/0 (9|11) channels-0-(9|11)$/);
  });

  it('is named by the same records wherever checkpoints stand between them', async () => {
    const law = fc.asyncProperty(fc.subarray([0, 1, 2, 3, 4, 5]), async (signedBehind) => {
      const made = new FakePartition({ topic: 'channels', partition: 0 });
      for (let at = 0; at < 7; at += 1) {
        made.records.push({ id: `e${at}`, time: noon + at, workspace: own, data: { at } });
        if (at === 6 || signedBehind.includes(at)) made.sign(noon + at, [key]);
      }
      const all = honestExport([made], request);
      const [second, third] = [2, 3].map((at) => all.findIndex((line) => line.includes(`"data":{"at":${at}}`)));
      const of = async (changed: readonly string[]) => briefly((await verify(recomputeDigests(changed))).findings);
      const textAt = (lineIndex = 0): string => all[lineIndex] ?? '';
      expect(await of(all.with(third ?? 0, textAt(third).replace('"at":3', '"at":4')))).toEqual([
        'changed channels/0 3 e3',
      ]);
      expect(await of(all.toSpliced(third ?? 0, 1))).toEqual(['missing channels/0 3']);
      const as = (index: number, text: string): string => text.replace(/"index":\d/, `"index":${index}`);
      const swapped = all.with(third ?? 0, as(3, textAt(second))).with(second ?? 0, as(2, textAt(third)));
      const { findings } = await verify(recomputeDigests(swapped));
      const named = findings.flatMap(({ kind, index }) => (kind === 'checkpoint' ? [] : [index]));
      expect([named.length > 0, named.filter((index) => index !== 2 && index !== 3)]).toEqual([true, []]);
    });
    await fc.assert(law, { numRuns: 64 });
  });

  it('is found also for unsigned records: a missing one', async () => {
    expect(briefly((await verify(recomputeDigests(lines.toSpliced(lineOf('channels', 30), 1)))).findings)).toEqual([
      'missing channels/0 30',
    ]);
    expect(briefly((await verify(recomputeDigests(lines.toSpliced(lineOf('channels', 32), 1)))).findings)).toContain(
      'missing channels/0',
    );
  });

  it('is found: a requested record replaced by its hash', async () => {
    const [channels] = partitions;
    const kept = channels?.records[9];
    if (channels === undefined || kept === undefined) throw new Error('there are ten records');
    const { time, workspace, digest } = channels.leafOf(kept);
    const hidden = JSON.stringify({ topic: 'channels', partition: 0, index: 9, outside: { time, workspace, digest } });
    const { findings } = await verify(recomputeDigests(lines.with(lineOf('channels', 9), hidden)));
    expect(briefly(findings)).toEqual(['withheld channels/0 9']);
  });

  it('is found: a narrower time range than that of the records', async () => {
    const [header = ''] = lines;
    const narrower = recomputeDigests(lines.with(0, header.replace(`"to":${request.to}`, `"to":${noon + 9_000}`)));
    expect(briefly((await verify(narrower)).findings)).toContain('unasked channels/0 9 channels-0-9');
  });

  it('is found: the removal of a checkpoint, and of everything after one', async () => {
    const checkpointAt = lines.findIndex((line) => line.includes('"checkpoint":'));
    expect(briefly((await verify(recomputeDigests(lines.toSpliced(checkpointAt, 1)))).findings)).toContain(
      'checkpoint channels/0',
    );
    const cut = lines.filter(
      (line, at) => at <= checkpointAt + 1 || !/"partition":0,"(first|index|checkpoint|end)/.test(line),
    );
    expect(briefly((await verify(recomputeDigests(cut))).findings)).toContain('missing channels/0');
  });

  it('is found and named: the removal of a checkpoint with all its records', async () => {
    const partitionPrefix = '{"topic":"channels","partition":0,';
    const [second, third] = [7, 14].map((first) =>
      lines.findIndex((line) => line.startsWith(`${partitionPrefix}"first":${first},`)),
    );
    const { findings } = await verify(
      recomputeDigests(lines.filter((_, at) => at < (second ?? 0) || at >= (third ?? 0))),
    );
    expect(findings[0]).toMatchObject({
      kind: 'missing',
      message: expect.stringContaining('records 7 to 13 are missing'),
    });
  });

  it.each([
    ['fewer trimmed records', 2_000, 4],
    ['an earlier time', 500, 5],
  ])('is found: a checkpoint that says %s than the one before', async (_what, signedAfterMs, trimmed) => {
    const signed = (afterMs: number, count: number): FakePartition => {
      const made = new FakePartition({ topic: 'channels', partition: 0 });
      for (const id of ['a', 'b', 'c', 'd', 'e', 'f']) made.records.push({ id, time: noon, workspace: own, data: {} });
      made.sign(noon + 1_000, [key], 5);
      made.records.push({ id: 'g', time: noon, workspace: own, data: {} });
      made.sign(noon + afterMs, [key], count);
      return made;
    };
    expect((await verify(honestExport([signed(2_000, 5)], request))).findings).toEqual([]);
    const { findings } = await verify(honestExport([signed(signedAfterMs, trimmed)], request));
    expect(briefly(findings)).toEqual(['checkpoint channels/0']);
  });

  it('is found: a beginning that is dropped and passed off as empty', async () => {
    const partitionPrefix = '{"topic":"channels","partition":0,';
    const state = lines.find((line) => line.startsWith(`${partitionPrefix}"newest":`)) ?? '';
    const second = lines.findIndex((line) => line.startsWith(`${partitionPrefix}"first":7,`));
    const dropped = lines.filter((line, at) => at >= second || !line.startsWith(partitionPrefix));
    const at = dropped.findIndex((line) => line.startsWith(partitionPrefix));
    const empty = [`${partitionPrefix}"first":0,"edge":[],"before":""}`, `${partitionPrefix}"end":0}`];
    const late = dropped.toSpliced(at, 0, ...empty).toSpliced(-1, 0, state);
    expect((await verify(recomputeDigests(late))).isWhole).toBe(false);
    const early = dropped.toSpliced(at, 0, state, ...empty);
    expect((await verify(recomputeDigests(early))).isWhole).toBe(false);
    const denied = dropped.toSpliced(at, 0, `${partitionPrefix}"newest":null}`);
    expect(briefly((await verify(recomputeDigests(denied))).findings)).toEqual(['checkpoint channels/0']);
  });

  it('is found: a partition that the header hides and whose first lines were removed', async () => {
    const partitionPrefix = '{"topic":"channels","partition":1,';
    const [header = ''] = lines;
    const concealing = header.replace('"topic":"channels","partitions":2', '"topic":"channels","partitions":1');
    const second = lines.findIndex((line) => line.startsWith(`${partitionPrefix}"first":7,`));
    const dropped = lines.with(0, concealing).filter((line, at) => at >= second || !line.startsWith(partitionPrefix));
    expect(briefly((await verify(recomputeDigests(dropped))).findings)).toEqual(['file channels/1']);
  });

  it('is found: a history that was signed again by another key', async () => {
    const other = fakeKey();
    const forged = new FakePartition({ topic: 'channels', partition: 0 });
    forged.records.push({ id: 'a', time: noon, workspace: own, data: {} });
    forged.sign(noon + 1, [other]);
    const { findings } = await verify(honestExport([forged], { ...request, keys: [other] }));
    expect(briefly(findings)).toContain('signature channels/0');
  });
});

const numbered = (line: string, index: number): string => line.replace(/"index":\d+/, `"index":${index}`);

describe('keys', () => {
  const rotated = (): FakePartition => {
    const made = partitionOf('channels', 0, 7);
    for (const at of [7, 8]) {
      made.records.push({ id: `n${at}`, time: noon + at * 1_000, workspace: own, data: {} });
      made.sign(noon + at * 1_000, at === 7 ? [nextKey, key] : [nextKey]);
    }
    return made;
  };
  const keys = [key, nextKey];

  it('are trusted when the old key vouches for them', async () => {
    expect((await verify(honestExport([rotated()], { ...request, keys }))).findings).toEqual([]);
  });

  it('are not trusted when the old key does not vouch for them', async () => {
    const made = rotated();
    const alone = honestExport([made], { ...request, keys, from: noon + 8_000 });
    expect(briefly((await verify(alone)).findings)).toContain('signature channels/0');
    expect((await verify(alone, { keys: [nextKey.publicKey] })).findings).toEqual([]);
  });
});

describe('what was trimmed', () => {
  const trimmedTo = (trimmed: number): FakePartition => {
    const made = partitionOf('channels', 0, 28);
    made.sign(noon + 60_000, [key], trimmed);
    return made;
  };

  it('is told apart from missing records by the signed count of trimmed records', async () => {
    const report = await verify(honestExport([trimmedTo(9)], request, 2));
    expect(report.findings).toEqual([]);
    expect(report.trimmed).toEqual([{ topic: 'channels', partition: 0, records: 14 }]);
    expect(briefly((await verify(honestExport([trimmedTo(0)], request, 2))).findings)).toEqual(['missing channels/0']);
    expect(briefly((await verify(honestExport([trimmedTo(9)], request, 3))).findings)).toEqual(['missing channels/0']);
  });
});

describe('a newest checkpoint that retention has cut into', () => {
  /** Signed after every seven records; the checkpoint of the last seven contains the number of trimmed records. */
  const cutAt = (trimmed: number): FakePartition => {
    const made = partitionOf('channels', 0, 20);
    made.records.push({ id: 'rec_last', time: noon + 50_000, workspace: 'o_1', data: {} });
    made.sign(noon + 60_000, [key], trimmed);
    return made;
  };

  it('counts as trimmed if the checkpoint says so', async () => {
    const report = await verify(honestExport([cutAt(17)], request, 3));
    expect(report.findings).toEqual([]);
    expect(report.trimmed).toEqual([{ topic: 'channels', partition: 0, records: 21 }]);
  });

  it('counts as missing if the checkpoint says that less was trimmed, or nothing', async () => {
    for (const trimmed of [0, 9, 14]) {
      const { findings } = await verify(honestExport([cutAt(trimmed)], request, 3));
      expect(briefly(findings)).toEqual(['missing channels/0']);
    }
  });

  it('counts as missing if the export begins after another checkpoint', async () => {
    const honest = honestExport([cutAt(17)], request, 3);
    const other = cutAt(17);
    other.sign(noon + 70_000, [key], 17);
    const [signed] = other.windows.slice(-1);
    const changed = honest.map((line) =>
      line.includes('"newest":') && signed !== undefined
        ? JSON.stringify({ topic: 'channels', partition: 0, newest: signed.signed })
        : line,
    );
    expect(briefly((await verify(recomputeDigests(changed))).findings)).toEqual(['missing channels/0']);
  });
});

describe('checkpoints that were kept outside', () => {
  const [channels] = partitions;
  const kept = (channels?.windows ?? []).map(({ signed }) => signed);

  it('agree with an honest export', async () => {
    const report = await verify(lines, { ...defaultOptions, checkpoints: kept });
    expect(report).toMatchObject({ isWhole: true, kept: { compared: 4, beyond: 0 } });
  });

  it('show that history was rewritten, by anyone who has the key', async () => {
    const rewritten = new FakePartition({ topic: 'channels', partition: 0 });
    for (const [at, record] of (channels?.records ?? []).entries()) {
      rewritten.records.push(at === 9 ? { ...record, data: 'another' } : record);
      if (at % 7 === 6) rewritten.sign(record.time + 500, [key]);
    }
    const again = honestExport([rewritten], request);
    expect((await verify(again)).isWhole).toBe(true);
    const { findings } = await verify(again, { ...defaultOptions, checkpoints: kept });
    expect(briefly(findings)).toEqual(['rewritten channels/0', 'rewritten channels/0', 'rewritten channels/0']);
  });

  it('show that history was cut', async () => {
    const cut = new FakePartition({ topic: 'channels', partition: 0 });
    for (const record of channels?.records.slice(0, 7) ?? []) cut.records.push(record);
    cut.sign(noon + 6_500, [key]);
    const { findings } = await verify(honestExport([cut], request), { ...defaultOptions, checkpoints: kept });
    expect(briefly(findings)).toContain('rewritten channels/0');
  });
});
