// The connection to MongoDB: what the adapter asks of every server, whatever the URL says.
import { MongoClient, type MongoClientOptions } from 'mongodb';
import { fromMongo } from './mongo-errors.ts';

/** Where the URL names no database. */
const databaseDefault = 'wellspring';
/** Long enough for an election's first half, short enough for a request to be answered 503. */
const serverSelectionTimeoutMs = 3_000;
/** A server that accepts calls and stands still: the driver tries twice, and a request must end within 10 s. */
const socketTimeoutMs = 4_500;
/** Below the socket's, so that replicas that do not follow are told apart from a server that stands still. */
const replicationTimeoutMs = 4_000;
/** A process's calls at once; more wait in line. Each connection costs the server about 1 MiB. */
const connectionsMax = 20;
/** How long a call waits for one of them. */
const lineTimeoutMs = 3_000;

/**
 * Majority and journal: the projection keeps its place in memory while the database fails over, so what was answered
 * must not go away. Reads go to the primary: a gateway reads what the checkpoint says is there.
 */
const options: MongoClientOptions = {
  appName: 'wellspring',
  serverSelectionTimeoutMS: serverSelectionTimeoutMs,
  connectTimeoutMS: serverSelectionTimeoutMs,
  socketTimeoutMS: socketTimeoutMs,
  waitQueueTimeoutMS: lineTimeoutMs,
  maxPoolSize: connectionsMax,
  retryWrites: true,
  retryReads: true,
  readPreference: 'primary',
  writeConcern: { w: 'majority', journal: true, wtimeoutMS: replicationTimeoutMs },
};

export interface Connection {
  readonly client: MongoClient;
  readonly database: string;
}

/** TLS, user and replica set are the URL's. Throws PortError `unavailable`; a plain Error for a URL that is none. */
export async function connect(url: string, database: string | undefined): Promise<Connection> {
  const client = new MongoClient(url, options);
  const name = database ?? (namesDatabase(url) ? client.options.dbName : databaseDefault);
  try {
    await client.connect();
    return { client, database: name };
  } catch (error) {
    await client.close();
    throw fromMongo(error, name);
  }
}

/** The driver takes `test` for a URL without a database, which nobody asked for. */
const namesDatabase = (url: string): boolean => /^[^:]+:\/\/[^/]+\/[^?]/.test(url);
