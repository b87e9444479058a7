import Database from 'better-sqlite3';
import { topicNames, topics } from '../../domain/flow.ts';
import { idsOf, outgoing, readRecords, requestAll, wide } from './../contract/harness.ts';
import { textOf } from '../appending/encoding.ts';
import { makeDirectory, type Directory } from './fixture/directory.ts';
import { applicationId, schemaVersion } from './schema.ts';

/** Creates an empty log with the layout of version 1. */
function makeOlder(file: string): void {
  const db = new Database(file);
  db.pragma('page_size = 8192');
  db.exec(`BEGIN; PRAGMA application_id = ${applicationId}; PRAGMA user_version = 1;
    CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
    INSERT INTO settings VALUES ('partitions', '4'), ('hash', 'fnv1a-32');`);
  for (const topic of topicNames) {
    const { compacted, partitions } = topics[topic];
    db.exec(`CREATE TABLE "${topic}" (
      "offset" INTEGER PRIMARY KEY AUTOINCREMENT, partition INTEGER NOT NULL, key TEXT, count INTEGER NOT NULL, lines TEXT NOT NULL)`);
    const columns = compacted ? 'partition, key' : 'partition';
    if (partitions !== 'one' || compacted) db.exec(`CREATE INDEX "${topic}.partition" ON "${topic}" (${columns})`);
  }
  db.exec('COMMIT');
  db.pragma('journal_mode = WAL');
  db.close();
}

let directory: Directory;
beforeEach(() => {
  directory = makeDirectory();
});
afterEach(() => directory.remove());

test('a log of the previous version can be read, appended to at higher offsets, and shrunk', async () => {
  makeOlder(directory.file);
  const older = Array.from({ length: 6 }, () => outgoing('channels', 1, { data: 'x'.repeat(100_000) }));
  const db = new Database(directory.file);
  const insert = db.prepare('INSERT INTO channels ("offset", partition, key, count, lines) VALUES (?, 1, NULL, ?, ?)');
  insert.run(
    2,
    2,
    older
      .slice(0, 2)
      .map(({ record }) => textOf(record))
      .join('\n'),
  );
  for (const [i, { record }] of older.slice(2).entries()) insert.run(3 + i, 1, textOf(record));
  db.prepare('INSERT INTO state ("offset", partition, key, count, lines) VALUES (7, 1, ?, 1, ?)').run(
    'dc_1',
    textOf(outgoing('state', 1, { key: 'dc_1' }).record),
  );
  db.close();

  const log = await directory.open();
  const writer = await log.own('runtime', 1);
  const newer = outgoing('channels', 1);
  const [offset] = await writer.append([newer, outgoing('state', 1, { key: 'dc_1' })], {});
  expect(offset).toBe(7);
  const found = await readRecords(log, { topic: 'channels', partition: 1, from: 0 }, 7);
  expect(found.map(({ id, offset: at }) => [id, at])).toEqual(idsOf([...older, newer]).map((id, i) => [id, i + 1]));
  expect((await log.read('state', 1, 0, wide)).records).toHaveLength(1);
  await requestAll(log, [outgoing('commands')]);
  await log.close();

  const opened = new Database(directory.file, { readonly: true });
  expect(opened.pragma('user_version', { simple: true })).toBe(schemaVersion);
  expect(opened.pragma('auto_vacuum', { simple: true })).toBe(2);
  opened.close();
});
