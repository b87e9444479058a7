import type { EventSummary } from '../records.ts';
import { compareEventIds, cursorBefore, largeTextUnits, filterEvents, parseStreamedEvent } from './event-records.ts';
import { gapCursor, liveMax, mergeRecords, emptyStream, addNewest, reconnectMs, addStreamed } from './merging.ts';
import type { StreamedRecords } from './merging.ts';
import { nextCursor, pageSize, pagesMax } from '../next-page.ts';

const event = (id: string, body: unknown = {}): EventSummary => ({
  id,
  indexed_at_ms: 1,
  event: body,
  metadata: { emitter_id: 'dc_1', emit_id: id, run_id: null, trace_id: null, name: '' },
});
const ids = (events: readonly { readonly id: string }[]): readonly string[] => events.map(({ id }) => id);

test('listed and streamed records are merged into one list: each record once, newest first', () => {
  const listed = [event('100-2'), event('99-0')];
  const streamed = [event('100-10'), event('100-2')];
  expect(ids(mergeRecords(listed, streamed, (a, b) => compareEventIds(a.id, b.id)))).toEqual([
    '100-10',
    '100-2',
    '99-0',
  ]);
});

test('an endless stream takes bounded memory: the oldest records are dropped', () => {
  let records: readonly EventSummary[] = [];
  for (let number = 0; number < liveMax + 50; number++) records = addNewest(records, event(`1-${number}`));
  expect([records.length, records[0]?.id, records.at(-1)?.id]).toEqual([liveMax, `1-${liveMax + 49}`, '1-50']);
});

test('when more came than is kept, the place from which records are missing is known until the list begins there', () => {
  let streamed: StreamedRecords<EventSummary> = emptyStream;
  const gap = (top: string) => gapCursor(streamed, top, compareEventIds);
  for (let number = 1; number <= liveMax; number++) streamed = addStreamed(streamed, event(`2-${number}`));
  expect(gap('1-0')).toBeUndefined();
  for (let number = 1; number <= 3; number++) streamed = addStreamed(streamed, event(`3-${number}`));
  expect([streamed.count, gap('1-0'), gap('2-3'), gap('2-4')]).toEqual([liveMax + 3, '2-4', '2-4', undefined]);
  expect(addStreamed(streamed, event('3-3'))).toBe(streamed);
});

test('a record that a resumed stream brings again is not shown twice', () => {
  const records = [event('1-1')];
  expect(addNewest(records, event('1-1'))).toBe(records);
});

test('the list keeps the beginning of a large event and all of a small one', () => {
  const small = event('1-0', { text: 'a' });
  expect(parseStreamedEvent(JSON.stringify(small))).toEqual(small);
  const cut = parseStreamedEvent(JSON.stringify(event('1-0', { text: 'a'.repeat(largeTextUnits) })));
  expect([cut.truncated, String(cut.event).length]).toEqual([true, 1_024]);
});

test.each([
  ['1777000000123-4', '1777000000123-3'],
  ['1777000000123-0', '1777000000122-999999'],
])('the event %s is the first one after the cursor %s', (id, cursor) => expect(cursorBefore(id)).toBe(cursor));

test('events are found by any text in them, in upper or lower case', () => {
  const events = [event('1-0', { customer: { name: 'Ada' } }), event('2-0', { customer: null })];
  expect(ids(filterEvents(events, ' ada '))).toEqual(['1-0']);
  expect(filterEvents(events, '')).toBe(events);
});

test('a failing connection is retried at growing intervals, but at least twice a minute', () => {
  expect([0, 1, 2, 20].map(reconnectMs)).toEqual([1_000, 2_000, 4_000, 30_000]);
});

describe('a list', () => {
  const page = (size: number) => ({
    page_info: { total_count: 99, count: size, start_cursor: 'a', end_cursor: 'z' },
    data: Array.from({ length: size }),
  });

  test('continues after a full page, and ends at one that is not full', () => {
    expect(nextCursor(page(pageSize), 1, pageSize)).toBe('z');
    expect(nextCursor(page(pageSize - 1), 1, pageSize)).toBeUndefined();
  });

  test('ends at the largest number of pages', () => {
    expect(nextCursor(page(pageSize), pagesMax, pageSize)).toBeUndefined();
  });
});
