// Put if newer, where the server answers as test servers never do: two first writes of one document that race.
import { MongoBulkWriteError, type AnyBulkWriteOperation, type BulkWriteResult, type Document } from 'mongodb';
import { putIfNewer } from './build-writer.ts';
import { fromMongo } from '../errors.ts';
import type { StoredView } from '../names.ts';

type Operation = AnyBulkWriteOperation<StoredView>;

const operation = (id: string): Operation => ({ deleteOne: { filter: { _id: id } } });
const bulk = ['a', 'b', 'c'].map(operation);
const done = {} as BulkWriteResult;

const duplicate = (index: number, of = '_id_') => ({
  index,
  code: 11000,
  errmsg: `E11000 duplicate key error collection: views.views.build.1.books index: ${of} dup key: { : "b" }`,
});

function refusing(...failures: readonly Document[]): MongoBulkWriteError {
  const result = { getWriteConcernError: () => undefined } as BulkWriteResult;
  const refused = { message: 'refused', code: failures[0]?.['code'] as number, writeErrors: failures };
  return new MongoBulkWriteError(refused as never, result);
}

/** A collection that answers each bulk as told and keeps what it was sent. */
function answering(...answers: readonly (Error | undefined)[]) {
  const sent: (readonly Operation[])[] = [];
  const left = [...answers];
  const bulkWrite = async (operations: readonly Operation[]): Promise<BulkWriteResult> => {
    sent.push(operations);
    if (left.length === 0) throw new Error('Sent once more than expected');
    const answer = left.shift();
    if (answer !== undefined) throw answer;
    return done;
  };
  return { sent, bulkWrite };
}

test('a newer first write that lost the race is sent again, alone, and stands', async () => {
  const collection = answering(refusing(duplicate(1)), undefined);
  await putIfNewer(collection, bulk);
  expect(collection.sent).toEqual([bulk, [bulk[1]]]);
});

test('what is refused twice is older and is not sent a third time', async () => {
  const collection = answering(refusing(duplicate(0), duplicate(2)), refusing(duplicate(1)));
  await putIfNewer(collection, bulk);
  expect(collection.sent).toEqual([bulk, [bulk[0], bulk[2]]]);
});

test('a bulk that is taken at once is sent once', async () => {
  const collection = answering(undefined);
  await putIfNewer(collection, bulk);
  expect(collection.sent).toEqual([bulk]);
});

test('a duplicate in any other index than that of ids is an error, not an older version', async () => {
  const error = refusing(duplicate(0, 'byShelf'));
  await expect(putIfNewer(answering(error), bulk)).rejects.toBe(error);
});

test('another failure among older versions is not lost, and one that may pass can be tried again', async () => {
  const error = refusing(duplicate(0), { index: 1, code: 11600, errmsg: 'interrupted at shutdown' });
  await expect(putIfNewer(answering(error), bulk)).rejects.toBe(error);
  expect(fromMongo(error, 'views')).toMatchObject({ code: 'unavailable', retryable: true });
});

test('a failure of the second sending is an error too', async () => {
  const error = refusing({ index: 0, code: 2, errmsg: 'bad value' });
  await expect(putIfNewer(answering(refusing(duplicate(0)), error), bulk)).rejects.toBe(error);
  expect(fromMongo(error, 'views')).toBe(error);
});
