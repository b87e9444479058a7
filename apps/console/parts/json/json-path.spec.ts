// The shown path of a value stays short, however long its keys are; a copied path is complete.
import { expect, test } from '@jest/globals';
import { pathText, pathLabel, displayName, displayText } from './json-path.ts';

test('names of usual length are not cut', () => {
  expect(pathLabel(['items', 0, 'first name'])).toBe('event.items[0]["first name"]');
  expect(pathLabel([])).toBe('event');
  expect(displayName('a')).toBe('a');
  expect(displayName(5)).toBe('5');
});

test('a mark that reverses text is shown without effect, but copied unchanged', () => {
  expect(displayName('a\u202eb')).toBe(String.raw`a\u202eb`);
  expect(displayText('fdp\u202e.exe "\u0085')).toBe(String.raw`"fdp\u202e.exe \"\u0085"`);
  expect(displayText('مصدر')).toBe('"مصدر"');
  expect(pathText(['a\u202eb'])).toBe('event["a\u202eb"]');
});

test('long keys and long paths are cut, but not in what is copied', () => {
  const path = Array.from({ length: 200 }, () => 'k'.repeat(1_000));
  expect(displayName('💩'.repeat(1_000)).length).toBeLessThan(130);
  expect(pathLabel(path).length).toBeLessThan(2_000);
  expect(pathLabel(path)).toMatch(/^…\["k{120}…"\]/);
  expect(pathText(path).length).toBe(5 + 200 * 1_001);
});
