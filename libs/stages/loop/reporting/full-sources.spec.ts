import { FullSources } from './full-sources.ts';

test('a source counts as full until it is reported free, or is no longer reported full', () => {
  let nowMs = 0;
  const full = new FullSources(() => nowMs);
  const isFull = (): readonly boolean[] => ['dc_1', 'dc_2'].map((id) => full.has(id));
  expect(isFull()).toEqual([false, false]);
  full.apply({ type: 'SourceFull', sourceId: 'dc_1' });
  full.apply({ type: 'SourceFull', sourceId: 'dc_2' });
  nowMs = 2_000;
  full.apply({ type: 'SourceFull', sourceId: 'dc_2' });
  expect(isFull()).toEqual([true, true]);
  nowMs = 3_000;
  expect(isFull()).toEqual([false, true]);
  full.apply({ type: 'SourceFree', sourceId: 'dc_2' });
  expect(isFull()).toEqual([false, false]);
});
