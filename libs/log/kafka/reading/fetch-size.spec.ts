import { limits } from '../kafka-limits.ts';
import { FetchSize } from './fetch-size.ts';

/** Answers that have, before unpacking, the size that was asked for. */
function read(fetchSize: FetchSize, unpackedPerByte: number, answers: number): number[] {
  return Array.from({ length: answers }, () => {
    const unpacked = fetchSize.bytes * unpackedPerByte;
    fetchSize.learn(unpacked);
    return unpacked;
  });
}

test('data that hardly compresses is soon fetched in the largest pieces', () => {
  const fetchSize = new FetchSize();
  read(fetchSize, 1, 10);
  expect(fetchSize.bytes).toBe(limits.fetchBytes);
});

test('data that unpacks to a thousand times its size is fetched in small pieces', () => {
  const fetchSize = new FetchSize();
  read(fetchSize, 1, 10);
  const unpacked = read(fetchSize, 1_000, 5).slice(1);
  for (const bytes of unpacked) expect(bytes).toBeLessThanOrEqual(limits.fetchUnpackedBytes);
});

test('answers that are not full do not raise the fetch size, since a backlog may follow', () => {
  const fetchSize = new FetchSize();
  for (let i = 0; i < 1_000; i++) fetchSize.learn(1_000);
  expect(fetchSize.bytes).toBe(limits.fetchBytesFirst);
});

test('the fetch size recovers after a highly compressed backlog', () => {
  const fetchSize = new FetchSize();
  read(fetchSize, 1_000, 5);
  read(fetchSize, 3, 20);
  expect(fetchSize.bytes).toBe(limits.fetchBytes);
});
