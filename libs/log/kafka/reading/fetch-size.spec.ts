import { limits } from '../kafka-limits.ts';
import { FetchSize } from './fetch-size.ts';

/** Full answers: before unpacking they have the size that was asked for. */
function read(fetchSize: FetchSize, unpackedPerByte: number, answers: number): number[] {
  return Array.from({ length: answers }, () => {
    const requestedBytes = fetchSize.bytes;
    const unpackedBytes = requestedBytes * unpackedPerByte;
    fetchSize.adapt({ requestedBytes, unpackedBytes, isFull: true });
    return unpackedBytes;
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
  const requestedBytes = fetchSize.bytes;
  for (const unpackedBytes of [1_000, requestedBytes, limits.fetchUnpackedBytes / 4])
    fetchSize.adapt({ requestedBytes, unpackedBytes, isFull: false });
  expect(fetchSize.bytes).toBe(limits.fetchBytesFirst);
});

test('an answer to an earlier, larger request does not raise the fetch size', () => {
  const fetchSize = new FetchSize();
  const askedBytes = fetchSize.bytes;
  const answer = (unpackedBytes: number) => {
    fetchSize.adapt({ requestedBytes: askedBytes, unpackedBytes, isFull: true });
    return fetchSize.bytes;
  };
  const lowered = answer(4 * limits.fetchUnpackedBytes);
  expect(answer(2 * limits.fetchUnpackedBytes)).toBe(lowered);
});

test('the fetch size recovers after a highly compressed backlog', () => {
  const fetchSize = new FetchSize();
  read(fetchSize, 1_000, 5);
  read(fetchSize, 3, 20);
  expect(fetchSize.bytes).toBe(limits.fetchBytes);
});
