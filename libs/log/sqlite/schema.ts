// What a log file holds: one table for each topic, and the settings that it was created with.
import type { Database } from 'better-sqlite3';
import { partitionHash, topicNames, topics, type TopicName } from '../../domain/flow.ts';
import { PortError } from '../../domain/port-error.ts';

/** 'WSLG' in the file's header: tells a log from every other SQLite file. */
export const applicationId = 0x57534c47;
/** Raised when an older program could not read the file any more. 2: rows may be packed. */
export const schemaVersion = 2;
/** Measured: an append dirties ten pages or so beside its records, so small ones are cheaper; packs fill them well. */
const pageBytes = 4096;

export const tableOf = (topic: TopicName): string => `"${topic}"`;
/** By key, to find what a newer record replaces. */
const keysOf = (topic: TopicName): string => `"${topic}.partition"`;

/** The index in the order of a partition's offsets; undefined: the topic has one partition, and its offsets are the order. */
function orderOf(topic: TopicName): string | undefined {
  const { partitions, compacted } = topics[topic];
  if (partitions === 'one') return undefined;
  // Of an owned partition there is one record.
  return compacted && partitions === 'emitter' ? `"${topic}.order"` : `"${topic}.partition"`;
}

/** The rows of a partition, in the order of their offsets whatever the topic keeps. */
export function rowsWithin(topic: TopicName): string {
  const order = orderOf(topic);
  return `${tableOf(topic)} ${order === undefined ? 'NOT INDEXED' : `INDEXED BY ${order}`} WHERE partition = :partition`;
}

/** Makes the tables and notes the settings, in one transaction of the caller's new file. */
export function createSchema(db: Database, partitions: number): void {
  db.pragma(`page_size = ${pageBytes}`);
  db.pragma('auto_vacuum = INCREMENTAL');
  db.exec('BEGIN EXCLUSIVE');
  db.pragma(`application_id = ${applicationId}`);
  db.pragma(`user_version = ${schemaVersion}`);
  db.exec('CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID');
  const note = db.prepare('INSERT INTO settings (name, value) VALUES (?, ?)');
  note.run('partitions', String(partitions));
  note.run('hash', partitionHash);
  createTables(db);
  db.exec('COMMIT');
}

/** What has come since the file was made gets its place: topics, indexes, and what later versions keep beside them. */
export function addMissing(db: Database): void {
  db.exec('BEGIN IMMEDIATE');
  createTables(db);
  db.pragma(`user_version = ${schemaVersion}`);
  db.exec('COMMIT');
}

/** A file of version 1 of this size is written anew, in a second or so, to be one that can shrink; a larger one reuses its space. */
const rewrittenBytesMax = 64 * 1024 * 1024;

/** To be called outside of a transaction; a crash leaves the file as it was. */
export function makeShrinkable(db: Database): void {
  const [pages, bytes] = ['page_count', 'page_size'].map((name) => Number(db.pragma(name, { simple: true })));
  if (db.pragma('auto_vacuum', { simple: true }) !== 0 || (pages ?? 0) * (bytes ?? 0) > rewrittenBytesMax) return;
  db.pragma('auto_vacuum = INCREMENTAL');
  db.exec('VACUUM');
}

/** Throws PortError `mismatch` when the file was made with other settings than ours. */
export function checkSettings(db: Database, file: string, partitions: number): void {
  const rows = db.prepare<[], { name: string; value: string }>('SELECT name, value FROM settings').all();
  const settings = new Map(rows.map(({ name, value }) => [name, value]));
  const expected = { partitions: String(partitions), hash: partitionHash };
  for (const [name, value] of Object.entries(expected)) {
    const found = settings.get(name);
    if (found !== value)
      throw new PortError(
        'mismatch',
        `the log ${file} was created with ${name} = ${found ?? 'none'}, not ${value}, which cannot be changed later: ` +
          `start with ${name} = ${found ?? 'what it was created with'}, or with another data directory`,
      );
  }
}

/**
 * A row holds records that were appended together, as lines of JSON text, so that writing many costs little more than their
 * bytes; its offset is that of its last record. Where only the newest of a key counts, a row holds one record and its key.
 * Elsewhere older rows are packed: `lines` is a BLOB then (packed.ts), and `packed` says up to where.
 */
function createTables(db: Database): void {
  for (const topic of topicNames) {
    db.exec(`CREATE TABLE IF NOT EXISTS ${tableOf(topic)} (
      "offset" INTEGER PRIMARY KEY AUTOINCREMENT, partition INTEGER NOT NULL, key TEXT, count INTEGER NOT NULL, lines TEXT NOT NULL)`);
    if (topics[topic].compacted)
      db.exec(`CREATE INDEX IF NOT EXISTS ${keysOf(topic)} ON ${tableOf(topic)} (partition, key)`);
    const order = orderOf(topic);
    if (order !== undefined) db.exec(`CREATE INDEX IF NOT EXISTS ${order} ON ${tableOf(topic)} (partition)`);
  }
  db.exec(
    'CREATE TABLE IF NOT EXISTS packed (topic TEXT, partition INTEGER, below INTEGER NOT NULL, PRIMARY KEY (topic, partition)) WITHOUT ROWID',
  );
  db.exec(
    'CREATE TABLE IF NOT EXISTS trimmed (topic TEXT, partition INTEGER, below INTEGER NOT NULL, PRIMARY KEY (topic, partition)) WITHOUT ROWID',
  );
  db.exec(
    'CREATE TABLE IF NOT EXISTS tombstones (topic TEXT, "offset" INTEGER, PRIMARY KEY (topic, "offset")) WITHOUT ROWID',
  );
}
