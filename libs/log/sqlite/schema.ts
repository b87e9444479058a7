// What a log file holds: one table for each topic, and the settings that it was created with.
import type { Database } from 'better-sqlite3';
import { partitionHash, topicNames, topics, type TopicName } from '../../domain/flow.ts';
import { PortError } from '../../domain/port-error.ts';

/** 'WSLG' in the file's header: tells a log from every other SQLite file. */
export const applicationId = 0x57534c47;
/** Raised when an older program could not read the file any more. */
export const schemaVersion = 1;
/** Measured: records of 1 KB fill it well, and an append of one record to four topics does not write much more than it must. */
const pageBytes = 8192;

export const tableOf = (topic: TopicName): string => `"${topic}"`;
export const indexOf = (topic: TopicName): string => `"${topic}.partition"`;

/** Topics of one partition need no index: their offsets are the order. */
export const isIndexed = (topic: TopicName): boolean => topics[topic].partitions !== 'one' || topics[topic].compacted;

/** Makes the tables and notes the settings, in one transaction of the caller's new file. */
export function createSchema(db: Database, partitions: number): void {
  db.pragma(`page_size = ${pageBytes}`);
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

/** A topic that has come since the file was made gets its table. */
export function addMissingTables(db: Database): void {
  const found = new Set(db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").pluck().all());
  if (topicNames.every((topic) => found.has(topic))) return;
  db.exec('BEGIN IMMEDIATE');
  createTables(db);
  db.exec('COMMIT');
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
 */
function createTables(db: Database): void {
  for (const topic of topicNames) {
    db.exec(`CREATE TABLE IF NOT EXISTS ${tableOf(topic)} (
      "offset" INTEGER PRIMARY KEY AUTOINCREMENT, partition INTEGER NOT NULL, key TEXT, count INTEGER NOT NULL, lines TEXT NOT NULL)`);
    const columns = topics[topic].compacted ? 'partition, key' : 'partition';
    if (isIndexed(topic)) db.exec(`CREATE INDEX IF NOT EXISTS ${indexOf(topic)} ON ${tableOf(topic)} (${columns})`);
  }
}
