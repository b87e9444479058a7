import Database from 'better-sqlite3';
import { firstMark } from '../../../appending/mark-record.ts';
import { createSchema } from '../../schema.ts';
import { Committer } from './committer.ts';
import type { AppendOrder, MarkOrder, Order, OrderOutcome } from '../order.ts';

let db: Database.Database;
let committer: Committer;
let id = 0;
beforeEach(() => {
  db = new Database(':memory:');
  createSchema(db, 4);
  committer = new Committer(db, 'log.sqlite');
});
afterEach(() => db.close());

const own = (): MarkOrder => ({ kind: 'mark', id: ++id, bytes: 0, stage: 'runtime', partition: 1, generation: null });
const recover = (generation: number): MarkOrder => ({ ...own(), generation });

function append(generation: number, batch: number, lines = '{}'): AppendOrder {
  const claim = { stage: 'runtime', partition: 1, generation } as const;
  const mark = { positions: { 'triggers/1': batch }, generation, batch };
  const rows = [{ partition: 1, key: null, count: 1, lines }];
  return {
    kind: 'append',
    id: ++id,
    bytes: lines.length,
    topics: [{ topic: 'channels', rows }],
    marked: { claim, mark },
  };
}

const codes = (outcomes: readonly OrderOutcome[]): readonly string[] =>
  outcomes.map((outcome) => ('code' in outcome ? outcome.code : 'done'));
const carryOut = (...orders: Order[]): readonly string[] => codes(committer.carryOut(orders));
const count = (): number => Number(db.prepare('SELECT count(*) FROM channels').pluck().get());
const storedMark = (): unknown => {
  const [outcome] = committer.carryOut([own()]);
  return outcome !== undefined && 'written' in outcome ? outcome.written?.mark : undefined;
};

test('the first owner has generation 1 and no positions', () => {
  expect(storedMark()).toEqual({ ...firstMark, generation: 1 });
});

test('orders see earlier orders of the same commit: an owner replaced by one of them is fenced', () => {
  expect(carryOut(own(), append(1, 1), own(), append(1, 2), append(2, 2))).toEqual([
    'done',
    'done',
    'done',
    'fenced',
    'done',
  ]);
  expect(count()).toBe(2);
});

test('a batch that does not follow the last one is refused, so that no append overtakes a failed one', () => {
  expect(carryOut(own(), append(1, 2), append(1, 3), append(1, 1))).toEqual([
    'done',
    'unavailable',
    'unavailable',
    'done',
  ]);
  expect(count()).toBe(1);
});

test('a full disk fails the commit as unavailable with nothing written, and the next commit succeeds', () => {
  carryOut(own(), append(1, 1));
  db.pragma(`max_page_count = ${Number(db.pragma('page_count', { simple: true })) + 2}`);
  expect(carryOut(append(1, 2, 'x'.repeat(100_000)), append(1, 3))).toEqual(['unavailable', 'unavailable']);
  expect(count()).toBe(1);
  db.pragma('max_page_count = 1000000');
  expect(carryOut(recover(1), append(1, 2), append(1, 3))).toEqual(['done', 'done', 'done']);
  expect(count()).toBe(3);
});

test('offsets are unique and without a gap after a commit was rolled back', () => {
  carryOut(own(), append(1, 1));
  db.pragma(`max_page_count = ${Number(db.pragma('page_count', { simple: true }))}`);
  expect(carryOut(append(1, 2, 'x'.repeat(100_000)))).toEqual(['unavailable']);
  db.pragma('max_page_count = 1000000');
  carryOut(recover(1), append(1, 2));
  expect(db.prepare('SELECT "offset" FROM channels').pluck().all()).toEqual([1, 2]);
});

test('a failed sync leaves the outcome unknown; orders refused in the same commit stay refused', () => {
  let failing = false;
  committer = new Committer(db, 'log.sqlite', () => {
    if (failing) throw new Database.SqliteError('disk I/O error', 'SQLITE_IOERR_FSYNC');
    db.exec('COMMIT');
  });
  carryOut(own());
  failing = true;
  expect(carryOut(append(1, 1), append(7, 1))).toEqual(['unknown_outcome', 'fenced']);
  failing = false;
  expect(carryOut(append(1, 2), recover(1), append(1, 1))).toEqual(['unavailable', 'done', 'done']);
});

test('damage found by a commit is reported as corrupt', () => {
  committer = new Committer(db, 'log.sqlite', () => {
    throw new Database.SqliteError('database disk image is malformed', 'SQLITE_CORRUPT');
  });
  expect(carryOut(own())).toEqual(['corrupt']);
});

test('recovering writes the mark again, unchanged', () => {
  carryOut(own(), append(1, 1));
  const [outcome] = committer.carryOut([recover(1)]);
  expect(outcome).toMatchObject({
    written: { mark: { positions: { 'triggers/1': 1 }, generation: 1, batch: 1 }, offset: 3 },
  });
});
