// Contract: an append is all or nothing, comes back unchanged, and goes only where its writer may write.
import type { RequestTopic } from '../../domain/flow.ts';
import { sizes } from '../../domain/sizes.ts';
import { chainFrom } from '../../domain/trace/chain.ts';
import type { Log, Outgoing, OutgoingOn, Writer } from '../log.ts';
import {
  codeOf,
  ids,
  idsOf,
  outgoing,
  outgoingOfBytes,
  readRecords,
  type OpenLog,
  withLog,
  requestAll,
  traced,
} from './harness.ts';

export function describeAppends(open: OpenLog): void {
  describe('appends', () => {
    let log: Log;
    let runtime: Writer;
    withLog(open, (opened) => {
      log = opened.log;
    });
    beforeEach(async () => {
      runtime = await log.own('runtime', 1);
    });

    test('appended records are read back unchanged, in order, at the returned offsets', async () => {
      const from = await log.end('channels', 1);
      const data = { text: 'ä € 😀 \u0000 \u2028 "', list: [1, -0.5, 1e300, null, true], nested: { '': {} } };
      const records = [outgoing('channels', 1, { data }), outgoing('channels', 1), outgoing('channels', 1)];
      const offsets = await runtime.append(records, {});
      expect(await readRecords(log, { topic: 'channels', partition: 1, from }, 3)).toEqual(
        records.map(({ record }, i) => ({ ...traced(record), topic: 'channels', partition: 1, offset: offsets[i] })),
      );
    });

    test('each record carries the trace context of its correlation, also a request', async () => {
      const correlationId = 'req_1/00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00';
      const [offset = 0] = await runtime.append([outgoing('channels', 1, { correlationId })], {});
      const [appended] = await readRecords(log, { topic: 'channels', partition: 1, from: offset }, 1);
      const requested = await log.request(outgoing('commands', 0, { correlationId }));
      const [request] = await readRecords(log, { topic: 'commands', partition: 0, from: requested }, 1);
      for (const record of [appended, request])
        expect(record?.traceparent).toMatch(/^00-4bf92f3577b34da6a3ce929d0e0e4736-[0-9a-f]{16}-00$/);
      expect(appended?.traceparent).not.toBe(request?.traceparent);
    });

    test('each record names the actor of its chain, unless an earlier program began the chain', async () => {
      const { correlationId } = chainFrom('req_1', 'key_0123456789abcdef');
      const [offset = 0] = await runtime.append(
        [outgoing('channels', 1, { correlationId }), outgoing('channels', 1, { correlationId: 'req_1' })],
        {},
      );
      const read = await readRecords(log, { topic: 'channels', partition: 1, from: offset }, 2);
      const requested = await log.request(outgoing('commands', 0, { correlationId }));
      const commands = await readRecords(log, { topic: 'commands', partition: 0, from: requested }, 1);
      const [named, unnamed, request] = [...read, ...commands];
      expect([named?.actor, request?.actor]).toEqual(['key_0123456789abcdef', 'key_0123456789abcdef']);
      expect(unnamed).not.toHaveProperty('actor');
    });

    test('offsets rise from append to append', async () => {
      const first = await runtime.append([outgoing('channels', 1), outgoing('channels', 1)], {});
      const second = await runtime.append([outgoing('channels', 1)], {});
      const offsets = [...first, ...second];
      expect(new Set(offsets).size).toBe(3);
      expect(offsets).toEqual(offsets.toSorted((a, b) => a - b));
    });

    test('one append to many topics is there whole, each record at the offset given for it', async () => {
      const records = (['channels', 'runs', 'hooks', 'state'] as const).map((topic) => outgoing(topic, 1));
      const offsets = await runtime.append(records, {});
      for (const [i, { topic, record }] of records.entries()) {
        const [found] = await readRecords(log, { topic, partition: 1, from: offsets[i] ?? 0 }, 1);
        expect(found).toMatchObject({ id: record.id, topic, partition: 1, offset: offsets[i] });
      }
    });

    test('concurrent requests are stored in the order of their calls within each partition', async () => {
      const from = await log.end('triggers', 2);
      const records = [outgoing('triggers', 2), outgoing('commands'), outgoing('triggers', 2)];
      const offsets = await requestAll(log, records);
      expect(offsets).toHaveLength(3);
      const triggers = await readRecords(log, { topic: 'triggers', partition: 2, from }, 2);
      expect(ids(triggers)).toEqual([records[0]?.record.id, records[2]?.record.id]);
      const commands = await readRecords(log, { topic: 'commands', partition: 0, from: offsets[1] ?? 0 }, 1);
      expect(commands[0]?.id).toBe(records[1]?.record.id);
    });

    test('concurrent appends are carried out in call order', async () => {
      const from = await log.end('channels', 1);
      const records = Array.from({ length: 20 }, () => outgoing('channels', 1));
      await Promise.all(records.map((record, i) => runtime.append([record], { 'triggers/1': i })));
      expect(ids(await readRecords(log, { topic: 'channels', partition: 1, from }, 20))).toEqual(idsOf(records));
      expect(runtime.mark.positions).toEqual({ 'triggers/1': 19 });
    });

    test('many final records and later appends are stored in call order', async () => {
      const from = await log.end('channels', 1);
      const final = (count: number) =>
        Array.from({ length: count }, () => ({ ...outgoing('channels', 1, { data: { n: [1, 'ä'] } }), isFinal: true }));
      const calls = [final(2_000), [outgoing('channels', 1)], final(500), final(1)];
      const offsets = await Promise.all(calls.map((records, i) => runtime.append(records, { 'triggers/1': i })));
      const expected = calls.flat().map(({ record }, i) => {
        return { ...traced(record), topic: 'channels', partition: 1, offset: offsets.flat()[i] };
      });
      expect(await readRecords(log, { topic: 'channels', partition: 1, from }, expected.length)).toEqual(expected);
      expect(runtime.mark.positions).toEqual({ 'triggers/1': 3 });
    });

    test('records that were encoded ahead are stored like others, and too large ones are refused', async () => {
      const from = await log.end('channels', 1);
      const final = Array.from({ length: 1_000 }, () => ({ ...outgoing('channels', 1), isFinal: true }));
      const ahead = await runtime.encodeAhead(final);
      await runtime.append([outgoing('channels', 1)], {});
      const offsets = await runtime.append([...ahead, outgoing('channels', 1)], {});
      const found = await readRecords(log, { topic: 'channels', partition: 1, from }, 1_002);
      expect(found.slice(1, -1)).toEqual(
        final.map(({ record }, i) => ({ ...traced(record), topic: 'channels', partition: 1, offset: offsets[i] })),
      );
      const large = { ...outgoingOfBytes('channels', sizes.recordBytes + 1), isFinal: true };
      expect(await codeOf(runtime.encodeAhead([large]))).toBe('too_large');
    });

    test('records that are not final are stored as they were at the call, also together with final ones', async () => {
      const from = await log.end('channels', 1);
      const data = { changed: false };
      const final = Array.from({ length: 1_000 }, () => ({ ...outgoing('channels', 1), isFinal: true }));
      const appended = runtime.append([...final, outgoing('channels', 1, { data })], {});
      data.changed = true;
      await appended;
      const found = await readRecords(log, { topic: 'channels', partition: 1, from }, 1_001);
      expect(found.at(-1)?.data).toEqual({ changed: false });
    });

    test('a record that is too large fails its append and those after it, until the writer recovers', async () => {
      const from = await log.end('channels', 1);
      const many = Array.from({ length: 1_000 }, () => ({ ...outgoing('channels', 1), isFinal: true }));
      const large = { ...outgoingOfBytes('channels', sizes.recordBytes + 1), partition: 1, isFinal: true };
      const failed = codeOf(runtime.append([...many, large], {}));
      const following = codeOf(runtime.append(many.slice(0, 20), {}));
      expect([await failed, await following]).toEqual(['too_large', 'unavailable']);
      await runtime.recover();
      await runtime.append(many.slice(0, 1), {});
      const found = await readRecords(log, { topic: 'channels', partition: 1, from }, 1);
      expect(ids(found)).toEqual(idsOf(many.slice(0, 1)));
    });

    test('recovering while records are being encoded leaves all of them appended or none', async () => {
      const from = await log.end('channels', 1);
      const many = Array.from({ length: 5_000 }, () => ({ ...outgoing('channels', 1), isFinal: true }));
      const appending = runtime.append(many, { 'triggers/1': 1 }).then(
        () => many.length,
        () => 0,
      );
      const mark = await runtime.recover();
      const appended = await appending;
      expect(mark.positions).toEqual(appended === 0 ? {} : { 'triggers/1': 1 });
      await runtime.append([outgoing('channels', 1)], {});
      expect(await readRecords(log, { topic: 'channels', partition: 1, from }, appended + 1)).toHaveLength(
        appended + 1,
      );
    });

    test('changing the input after the call changes nothing that is appended', async () => {
      const from = await log.end('channels', 1);
      const data = { changed: false };
      const records = [outgoing('channels', 1, { data })];
      const positions = { 'triggers/1': 1 };
      const appended = runtime.append(records, positions);
      data.changed = true;
      records.push(outgoing('channels', 1));
      positions['triggers/1'] = 99;
      await appended;
      const found = await readRecords(log, { topic: 'channels', partition: 1, from }, 1);
      expect(found.map((record) => record.data)).toEqual([{ changed: false }]);
      expect(runtime.mark.positions).toEqual({ 'triggers/1': 1 });
    });

    test('a record that was read can be appended to another topic', async () => {
      const from = await log.end('channels', 1);
      await runtime.append([outgoing('channels', 1)], {});
      const [record] = await readRecords(log, { topic: 'channels', partition: 1, from }, 1);
      if (record === undefined) throw new Error('nothing was read');
      const [offset] = await runtime.append([{ topic: 'runs', partition: 1, record }], {});
      const [again] = await readRecords(log, { topic: 'runs', partition: 1, from: offset ?? 0 }, 1);
      expect(again).toEqual({ ...record, topic: 'runs', offset });
    });

    test('an append without records moves the mark', async () => {
      expect(await runtime.append([], { 'triggers/1': 7 })).toEqual([]);
      expect((await log.own('runtime', 1)).mark.positions).toEqual({ 'triggers/1': 7 });
    });

    test('a record of the largest size is accepted, one byte more is refused', async () => {
      const from = await log.end('commands', 0);
      const exact = outgoingOfBytes('commands', sizes.recordBytes);
      expect(await codeOf(log.request(outgoingOfBytes('commands', sizes.recordBytes + 1)))).toBe('too_large');
      await log.request(exact);
      const found = await readRecords(log, { topic: 'commands', partition: 0, from }, 1);
      expect(ids(found)).toEqual([exact.record.id]);
      expect(found[0]?.data).toBe(exact.record.data);
    });

    test('an append of the largest size is accepted; with one byte more nothing is written', async () => {
      const from = await log.end('channels', 1);
      const { recordBytes, appendBytes } = sizes;
      const full = Array.from({ length: Math.floor(appendBytes / recordBytes) }, () => recordBytes);
      const rest = appendBytes - full.length * recordBytes;
      const fill = (last: number): Outgoing[] =>
        [...full, last].map((bytes) => ({ ...outgoingOfBytes('channels', bytes), partition: 1 }));
      expect(await codeOf(runtime.append(fill(rest + 1), {}))).toBe('too_large');
      await runtime.recover();
      const exact = fill(rest);
      await runtime.append(exact, {});
      expect(ids(await readRecords(log, { topic: 'channels', partition: 1, from }, exact.length))).toEqual(
        idsOf(exact),
      );
    });

    test('an append that is too large writes nothing and does not disturb another stage', async () => {
      const delivery = await log.own('delivery', 1);
      const from = await log.end('channels', 1);
      const large = { ...outgoingOfBytes('channels', sizes.recordBytes + 1), partition: 1 };
      const after = outgoing('channels', 1);
      const [refused] = await Promise.all([
        codeOf(runtime.append([outgoing('channels', 1), large], {})),
        delivery.append([outgoing('deliveries', 1)], {}),
      ]);
      expect(refused).toBe('too_large');
      await runtime.recover();
      await runtime.append([after], {});
      expect(ids(await readRecords(log, { topic: 'channels', partition: 1, from }, 1))).toEqual([after.record.id]);
    });

    test.each([
      ['a topic of another stage', () => outgoing('components', 1)],
      ['a request topic that it does not write', () => outgoing('commands')],
      ['a partition that it does not own', () => outgoing('channels', 2)],
      ['a partition that there is not', () => outgoing('channels', 99)],
      ['its own marks', () => outgoing('marks.runtime', 1)],
    ])('a writer is refused %s', async (_, record) => {
      await expect(runtime.append([record()], {})).rejects.toThrow(/append|partition/);
      await runtime.recover();
      await expect(runtime.append([outgoing('channels', 1)], {})).resolves.toHaveLength(1);
    });

    test('lifecycle appends to every partition of components and triggers, and to the control plane', async () => {
      const lifecycle = await log.own('lifecycle', 0);
      const records = [
        outgoing('components', 0),
        outgoing('components', 3),
        outgoing('triggers', 2),
        outgoing('workspaces'),
        outgoing('keys'),
        outgoing('listeners'),
      ];
      await expect(lifecycle.append(records, {})).resolves.toHaveLength(6);
    });

    test('delivery can append commands, and triggers of any partition, together with its own records', async () => {
      const delivery = await log.own('delivery', 3);
      const own = [outgoing('deliveries', 3), outgoing('cursors', 3)];
      const requested = [outgoing('commands'), outgoing('triggers', 0), outgoing('triggers', 3)];
      const offsets = await delivery.append([...own, ...requested], {});
      for (const [i, { topic, partition, record }] of requested.entries()) {
        const from = offsets[own.length + i] ?? 0;
        expect(ids(await readRecords(log, { topic, partition, from }, 1))[0]).toBe(record.id);
      }
    });

    test('a request is accepted for existing partitions of request topics only', async () => {
      const foreign = outgoing('channels', 1) as unknown as OutgoingOn<RequestTopic>;
      await expect(log.request(foreign)).rejects.toThrow(/channels/);
      await expect(log.request(outgoing('triggers', 99))).rejects.toThrow(/triggers/);
    });

    test('a record without data removes the earlier records of its key, and what comes after it stays', async () => {
      const writer = await log.own('runtime', 3);
      const state = (key: string, data: unknown) => outgoing('state', 3, { key, data });
      const from = await log.end('state', 3);
      await writer.append([state('dc_a', 1), state('dc_b', 1), state('dc_c', 1)], {});
      await writer.append([state('dc_a', undefined), state('dc_c', undefined)], {});
      const last = await writer.append([state('dc_c', 2)], {});
      const stored = await readRecords(log, { topic: 'state', partition: 3, from }, 2);
      const remaining = new Map(stored.map(({ key, data }) => [key, data]));
      for (const [key, data] of remaining) if (data === undefined) remaining.delete(key);
      expect(Object.fromEntries(remaining)).toEqual({ dc_b: 1, dc_c: 2 });
      expect(await log.end('state', 3)).toBeGreaterThan(last[0] ?? NaN);
    });

    test('a compacted topic keeps the newest record of each key, in order', async () => {
      const from = await log.end('state', 1);
      const save = (key: string, data: number): Outgoing => outgoing('state', 1, { key, data });
      await runtime.append([save('dc_a', 1), save('dc_b', 1), save('dc_a', 2)], {});
      await runtime.append([save('dc_c', 1), save('dc_b', 2)], {});
      const records = await readRecords(log, { topic: 'state', partition: 1, from }, 3);
      const newest = new Map(records.map((record) => [record.key, record.data]));
      expect(Object.fromEntries(newest)).toEqual({ dc_a: 2, dc_b: 2, dc_c: 1 });
      const offsets = records.map((record) => record.offset);
      expect(offsets).toEqual(offsets.toSorted((a, b) => a - b));
    });

    test('the same key in another partition is another key', async () => {
      const other = await log.own('runtime', 2);
      const from = await log.end('state', 2);
      await other.append([outgoing('state', 2, { key: 'dc_same', data: 'there' })], {});
      await runtime.append([outgoing('state', 1, { key: 'dc_same', data: 'here' })], {});
      const records = await readRecords(log, { topic: 'state', partition: 2, from }, 1);
      expect(records.map((record) => record.data)).toEqual(['there']);
    });
  });
}
