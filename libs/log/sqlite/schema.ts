// The schema of a log file: one table for each topic, and the settings that the file was created with.
import type { Database, Statement } from 'better-sqlite3';
import { partitionHash, topicNames, topics, type ExpiringTopic, type TopicName } from '../../domain/flow.ts';
import { PortError } from '../../domain/port-error.ts';

/** 'WSLG' in the file's header, which distinguishes a log from every other SQLite file. */
export const applicationId = 0x57534c47;
/**
 * Increased whenever older programs can no longer read the file. 2: old rows can be packed. 3: any rows can be. 4: a
 * pack can lack offsets.
 */
export const schemaVersion = 4;
/** Measured: an append changes some ten pages besides its records, so small pages are cheaper; packs fill them well. */
const pageBytes = 4096;

/** Pages cached per connection, instead of 16 MB: the log is used at its ends, and the system caches pages too. */
export const cachePagesMax = 1024;

/** A row of `trimmed`: nothing of the partition is read below this offset. */
export interface TrimmedRow {
  readonly topic: ExpiringTopic;
  readonly partition: number;
  readonly below: number;
}

export const selectTrimmed = (db: Database): Statement<[], TrimmedRow> =>
  db.prepare('SELECT topic, partition, below FROM trimmed');

export const tableOf = (topic: TopicName): string => `"${topic}"`;
/** The index by key, which finds the rows that a newer record replaces. */
const keysOf = (topic: TopicName): string => `"${topic}.partition"`;

/**
 * The index in offset order within a partition; undefined for topics of one partition, whose tables have that order.
 */
function orderOf(topic: TopicName): string | undefined {
  const { partitions, compacted } = topics[topic];
  if (partitions === 'one') return undefined;
  // Other compacted topics have one record in each partition.
  return compacted && partitions === 'emitter' ? `"${topic}.order"` : `"${topic}.partition"`;
}

/** SQL for the rows of a partition in offset order, whether the topic is compacted or not. */
export function rowsWithin(topic: TopicName): string {
  const order = orderOf(topic);
  return `${tableOf(topic)} ${order === undefined ? 'NOT INDEXED' : `INDEXED BY ${order}`} WHERE partition = :partition`;
}

/** Creates the tables and stores the settings, in one transaction on the caller's new file. */
export function createSchema(db: Database, partitions: number): void {
  db.pragma(`page_size = ${pageBytes}`);
  db.pragma('auto_vacuum = INCREMENTAL');
  db.exec('BEGIN EXCLUSIVE');
  db.pragma(`application_id = ${applicationId}`);
  db.pragma(`user_version = ${schemaVersion}`);
  db.exec('CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID');
  const insertSetting = db.prepare('INSERT INTO settings (name, value) VALUES (?, ?)');
  insertSetting.run('partitions', String(partitions));
  insertSetting.run('hash', partitionHash);
  createTables(db);
  db.exec('COMMIT');
}

/** Adds tables and indexes that are newer than the file, and sets its version. */
export function addMissing(db: Database): void {
  db.exec('BEGIN IMMEDIATE');
  createTables(db);
  db.pragma(`user_version = ${schemaVersion}`);
  db.exec('COMMIT');
}

/** A version 1 file up to this size is rewritten, in about 1 s, to be shrinkable; a larger one reuses its space. */
const rewrittenBytesMax = 64 * 1024 * 1024;

/** Lets a version 1 file shrink. Call outside a transaction; a crash leaves the file unchanged. */
export function makeShrinkable(db: Database): void {
  const [pages, bytes] = ['page_count', 'page_size'].map((name) => Number(db.pragma(name, { simple: true })));
  if (db.pragma('auto_vacuum', { simple: true }) !== 0 || (pages ?? 0) * (bytes ?? 0) > rewrittenBytesMax) return;
  db.pragma('auto_vacuum = INCREMENTAL');
  db.exec('VACUUM');
}

/** Throws PortError `mismatch` if the file was created with settings other than ours. */
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
 * A row holds records appended together, as lines of JSON text, so that writing many costs little more than their
 * bytes; its offset is that of its last record. On compacted topics a row holds one record and its key. On the others,
 * old rows and those of large appends are packed: `lines` is a BLOB (row-packs.ts). Table `packed` holds the offset
 * below which all rows are packed.
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
