// How health describes a stalled loop.
import { stalledText } from './stalled.ts';

const textOf = (message: string): string => stalledText(new Error(message));

test('a loop that stands still says for how long, and what it has met', () => {
  expect(stalledText()).toBe('its loop has not turned for 30 s');
  expect(textOf('the disk is full')).toBe('its loop has not turned for 30 s: the disk is full');
});

test.each([
  ['the log /data/log.sqlite cannot be used: SQLITE_FULL', 'the log cannot be used: SQLITE_FULL'],
  ['Kafka: connect ECONNREFUSED 10.0.0.5:9092', 'Kafka: connect ECONNREFUSED'],
  ['no answer (mongodb://user:pass@db.internal/x).', 'no answer'],
  ['[fd00::1]:9092 and 10.0.0.5 are away, channels/3 is not', 'and are away, channels/3 is not'],
])('what it tells of "%s" names neither files nor addresses', (message, shown) => {
  expect(textOf(message)).toBe(`its loop has not turned for 30 s: ${shown}`);
});
