// Writes if newer, with answers that test servers never give: two first writes of one document that race.
import { Long, MongoBulkWriteError } from 'mongodb';
import type { AnyBulkWriteOperation, BulkWriteResult, Document } from 'mongodb';
import { putAll } from './build-writer.ts';
import { fromMongo } from '../mongo-errors.ts';
import type { StoredView } from '../collection-names.ts';

type Operation = AnyBulkWriteOperation<StoredView>;

const version = Long.fromNumber(5);
const put = (id: string, isNew = false) => ({ stored: { _id: id, version }, isNew });
const puts = ['a', 'b', 'c'].map((id) => put(id));
const upsert = (id: string): Operation => ({
  replaceOne: { filter: { _id: id, version: { $lt: version } }, replacement: { version }, upsert: true },
});
const insert = (id: string): Operation => ({ insertOne: { document: { _id: id, version } } });
const bulk = ['a', 'b', 'c'].map(upsert);
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

/** A collection with a prepared answer for each bulk, which records what it was sent. */
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

test('a first write that lost a race is sent again alone', async () => {
  const collection = answering(refusing(duplicate(1)), undefined);
  await putAll(collection, puts);
  expect(collection.sent).toEqual([bulk, [bulk[1]]]);
});

test('a write refused twice is older and is not sent a third time', async () => {
  const collection = answering(refusing(duplicate(0), duplicate(2)), refusing(duplicate(1)));
  await putAll(collection, puts);
  expect(collection.sent).toEqual([bulk, [bulk[0], bulk[2]]]);
});

test('a bulk that succeeds at once is sent once', async () => {
  const collection = answering(undefined);
  await putAll(collection, puts);
  expect(collection.sent).toEqual([bulk]);
});

test('a duplicate in an index other than that of ids is an error, not an older version', async () => {
  const error = refusing(duplicate(0, 'byShelf'));
  await expect(putAll(answering(error), puts)).rejects.toBe(error);
});

test('another failure among older versions is reported, as retryable if it is temporary', async () => {
  const error = refusing(duplicate(0), { index: 1, code: 11600, errmsg: 'interrupted at shutdown' });
  await expect(putAll(answering(error), puts)).rejects.toBe(error);
  expect(fromMongo(error, 'views')).toMatchObject({ code: 'unavailable', retryable: true });
});

test('a failure of the second attempt is reported too', async () => {
  const error = refusing({ index: 0, code: 2, errmsg: 'bad value' });
  await expect(putAll(answering(refusing(duplicate(0)), error), puts)).rejects.toBe(error);
  expect(fromMongo(error, 'views')).toBe(error);
});

test('new documents are inserted, the others replaced if newer', async () => {
  const collection = answering(undefined, undefined);
  await putAll(collection, [put('a', true), put('b'), put('c', true)]);
  expect(collection.sent).toEqual([[insert('a'), insert('c')], [upsert('b')]]);
});

test('a document wrongly marked as new replaces an older one, and is sent again when it lost a race', async () => {
  const collection = answering(refusing(duplicate(1)), refusing(duplicate(1)), undefined);
  await putAll(collection, [put('a', true), put('b', true), put('c')]);
  expect(collection.sent).toEqual([[insert('a'), insert('b')], [upsert('c'), upsert('b')], [upsert('b')]]);
});

test('a failed insert that is not a duplicate is an error', async () => {
  const error = refusing({ index: 0, code: 2, errmsg: 'bad value' });
  await expect(putAll(answering(error), [put('a', true)])).rejects.toBe(error);
});
