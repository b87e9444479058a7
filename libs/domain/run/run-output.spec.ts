import fc from 'fast-check';
import type { Trigger } from '../source/messages.ts';
import { derivedId } from '../id.ts';
import type { LogRecord } from '../message.ts';
import { sizes } from '../sizes.ts';
import { traceparentOf } from '../trace/traceparent.ts';
import { orderEmits, sizeEmits } from './run-emits.ts';
import type { EmitCall } from '../component/emit-call.ts';
import { freshMemory, runOutput } from './run-output.ts';
import type { RunEnd, RunOutput } from './run-output.ts';
import { maskConsole, maskError } from './run-text.ts';

const trigger: Trigger = {
  id: 'rec_trigger',
  type: 'TriggerRequested',
  version: 1,
  key: 'dc_1',
  data: { sourceId: 'dc_1', kind: 'http', revision: 1 },
  at: 5,
  workspace: 'o_1',
  correlationId: 'req_1',
  causationId: 'req_1',
};

const end = (emits: readonly EmitCall[]): RunEnd => ({
  outcome: 'succeeded',
  startedAt: 7,
  durationMs: 2,
  console: [],
  emits,
});
const emit = (event: string, more: Partial<EmitCall> = {}): EmitCall => ({ event, channel: '', ...more });

const eventsIn = ({ events }: RunOutput) => Array.from({ length: events.length }, (_, index) => events.at(index));

test('samples become events at once, are marked, and are neither deduplicated nor remembered', () => {
  const sample: Trigger = { ...trigger, data: { ...trigger.data, kind: 'sample' } };
  const memory = { ...freshMemory, dedupe: { strategy: 'unique', ids: ['1'] } } as const;
  const emits = [emit('known', { id: 1 }), emit('bare'), emit('later', { id: 2, deliveryTs: 1_000 })];
  const output = runOutput(sample, end(emits), memory, { strategy: 'unique', now: 100 });
  expect(eventsIn(output).map(({ version, data }) => [version, data.event, data.sample])).toEqual([
    [4, 'known', true],
    [4, 'bare', true],
    [4, 'later', true],
  ]);
  expect([output.pending, output.memory.dedupe]).toEqual([[], memory.dedupe]);
  expect(output.run).toMatchObject({ version: 4, data: { kind: 'sample', deduped: 0 } });
});

test('a run gives its events in order and one record that names them', () => {
  const emits = [
    emit('new', { ts: 20, channel: 'c', id: 4, summary: 's' }),
    emit('old', { ts: 10, id: 3 }),
    emit('copy', { id: 3 }),
  ];
  const output = runOutput(trigger, end(emits), freshMemory, { strategy: 'unique', now: 100 });
  expect(eventsIn(output).map(({ data }) => [data.event, data.eventId])).toEqual([
    ['old', '100-0'],
    ['new', '100-1'],
  ]);
  expect(eventsIn(output)[1]).toMatchObject({
    key: 'dc_1',
    at: 100,
    workspace: 'o_1',
    correlationId: 'req_1',
    causationId: 'rec_trigger',
    data: { emitterId: 'dc_1', channel: 'c', emit: { id: 4, summary: 's', ts: 20 } },
  });
  expect(output.run.data).toMatchObject({
    sourceId: 'dc_1',
    kind: 'http',
    outcome: 'succeeded',
    emitted: ['100-0', '100-1'],
    deduped: 1,
  });
  expect(output.memory).toMatchObject({ nextSeq: 2, lastEventMs: 100 });
});

test('a run says to a tenth of a millisecond how long it took', () => {
  const run = { ...end([]), durationMs: 0.19757399999798508 };
  expect(runOutput(trigger, run, freshMemory, { strategy: undefined, now: 1 }).run.data.durationMs).toBe(0.2);
});

test('dedupe follows the order of ts, not of calls: a feed listed newest first loses nothing', () => {
  const newestFirst = [emit('c', { ts: 30, id: 3 }), emit('b', { ts: 20, id: 2 }), emit('a', { ts: 10, id: 1 })];
  for (const strategy of ['greatest', 'last'] as const) {
    const first = runOutput(trigger, end(newestFirst), freshMemory, { strategy, now: 100 });
    expect(eventsIn(first).map(({ data }) => data.event)).toEqual(['a', 'b', 'c']);
    const again = [emit('d', { ts: 40, id: 4 }), ...newestFirst];
    const second = runOutput(trigger, end(again), first.memory, { strategy, now: 200 });
    expect(eventsIn(second).map(({ data }) => data.event)).toEqual(['d']);
  }
});

test('the same trigger yields the same record ids again', () => {
  const again = [0, 1].map(() =>
    runOutput(trigger, end([emit('a'), emit('b')]), freshMemory, { strategy: undefined, now: 1 }),
  );
  const ids = again.map((output) => [...eventsIn(output), output.run].map((record) => record.id));
  expect(ids[0]).toEqual(ids[1]);
  expect(new Set(ids[0]).size).toBe(3);
});

test('emits are ordered by ts, equal ones in the order of calls, those without ts at the time of receipt', () => {
  const emits = [
    emit('a', { ts: 30 }),
    emit('b'),
    emit('c', { ts: 10 }),
    emit('d'),
    emit('future', { ts: 500 }),
    emit('e', { ts: 10 }),
  ];
  expect(orderEmits(emits, 100).map(({ event }) => event)).toEqual(['c', 'e', 'a', 'b', 'd', 'future']);
  const timed = fc.array(fc.record({ event: fc.nat(), ts: fc.nat(5) }));
  fc.assert(
    fc.property(timed, (list) => {
      const calls = list.map(({ ts }, index) => ({ event: index, channel: '', ts }));
      const ordered = orderEmits(calls, 3);
      ordered.slice(1).forEach((call, index) => {
        const before = ordered[index];
        const later =
          Number(before?.ts) < Number(call.ts) ||
          (before?.ts === call.ts && Number(before?.event) < Number(call.event));
        expect(later).toBe(true);
      });
      expect(ordered).toHaveLength(calls.length);
    }),
  );
});

test('an emit above its size is left out and named, the others are kept', () => {
  const sized = sizeEmits([emit('small'), emit('x'.repeat(sizes.emitBytes)), emit('after')]);
  expect(sized.emits.map(({ event }) => event)).toEqual(['small', 'after']);
  expect(sized.error?.message).toContain('Emit 2');
  expect(sizeEmits([emit('x'.repeat(sizes.emitBytes - 2))]).error).toBeUndefined();
});

test('an emit nested deeper than a record may be is left out and named', () => {
  const nested = (levels: number): EmitCall => ({
    ...emit(''),
    event: JSON.parse('['.repeat(levels) + ']'.repeat(levels)),
  });
  expect(sizeEmits([nested(256)]).error).toBeUndefined();
  const sized = sizeEmits([nested(257), nested(100_000), emit('after')]);
  expect(sized.emits.map(({ event }) => event)).toEqual(['after']);
  expect(sized.error).toMatchObject({ name: 'EmitTooDeepError', message: expect.stringContaining('Emit 1') });
});

test('all emits together stay within the output limit of a run', () => {
  const many = Array.from({ length: 20 }, () => emit('x'.repeat(sizes.emitBytes - 2)));
  const sized = sizeEmits(many);
  expect(sized.bytes).toBeLessThanOrEqual(sizes.runOutputBytes);
  expect(sized.emits.length).toBe(11);
  expect(sized.error).toBeDefined();
});

test('10,000 small emits fit into a run, and their records have no more bytes than was counted', () => {
  const many = Array.from({ length: 10_000 }, (_, n) => emit('', { id: `id-${n}`, ts: 1e12 + n }));
  const sized = sizeEmits(many);
  expect(sized.error).toBeUndefined();
  const ids = {
    id: derivedId('rec'),
    correlationId: `${derivedId('req')}/${derivedId('key')}/00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01`,
    key: derivedId('dc'),
    workspace: derivedId('o'),
  };
  const real = { ...trigger, ...ids, data: { ...trigger.data, sourceId: ids.key } };
  const before = { ...freshMemory, nextSeq: 1e12 };
  const output = runOutput(real, end(many), before, { strategy: undefined, now: 1e12 });
  const bytesOf = (record: LogRecord): number =>
    JSON.stringify({ ...record, traceparent: traceparentOf(record) }).length;
  const bytes = eventsIn(output).reduce((sum, event) => sum + bytesOf(event), bytesOf(output.run));
  expect(bytes).toBeLessThanOrEqual(sized.bytes);
});

test('console and error are masked and bounded', () => {
  const line = { level: 'log', text: 'key is hunter22', at: 1 } as const;
  expect(maskConsole([line], ['hunter22'])).toEqual([{ ...line, text: 'key is [secret]' }]);
  const long = maskConsole(
    Array.from({ length: 5 }, () => ({ ...line, text: 'y'.repeat(100_000) })),
    [],
  );
  expect(Buffer.byteLength(JSON.stringify(long))).toBeLessThan(sizes.consoleBytes + 1_000);
  expect(long.at(-1)?.text).toContain('cut');
  const error = { name: 'E', message: 'no hunter22', stack: `${'z'.repeat(50_000)}`, line: 3 };
  const shown = maskError(error, ['hunter22']);
  expect(shown).toMatchObject({ name: 'E', message: 'no [secret]', line: 3 });
  expect(shown.stack?.length).toBe(16 * 1024);
});
