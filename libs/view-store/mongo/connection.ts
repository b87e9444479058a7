// Opens the connection to MongoDB, with options that the adapter always sets, whatever the URL says.
import { MongoClient, MongoParseError, type MongoClientOptions } from 'mongodb';
import { PortError } from '../../domain/port-error.ts';
import { fromMongo } from './mongo-errors.ts';

/** Long enough for the first half of an election, short enough for a request to be answered with 503. */
const serverSelectionTimeoutMs = 3_000;
/** For a server that accepts calls and then hangs: the driver tries twice, and a request must end within 10 s. */
const socketTimeoutMs = 4_500;
/** Below the socket's timeout, to distinguish lagging replicas from a server that hangs. */
const replicationTimeoutMs = 4_000;
/** Parallel calls of a process; further calls queue. Each connection costs the server about 1 MiB. */
const connectionsMax = 20;
/** How long a call waits for a free connection. */
const queueTimeoutMs = 3_000;

/**
 * Majority and journal: the projection keeps its positions in memory during a failover, so an acknowledged write must
 * not be lost. Reads go to the primary: a gateway must find what the checkpoint promises.
 */
const options: MongoClientOptions = {
  appName: 'wellspring',
  serverSelectionTimeoutMS: serverSelectionTimeoutMs,
  connectTimeoutMS: serverSelectionTimeoutMs,
  socketTimeoutMS: socketTimeoutMs,
  waitQueueTimeoutMS: queueTimeoutMs,
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

/** TLS, user and replica set are set by the URL. Throws PortError: `unavailable`, or `mismatch` for an unusable URL. */
export async function connect(url: string, database: string): Promise<Connection> {
  const client = clientOf(url);
  try {
    await client.connect();
    return { client, database };
  } catch (error) {
    await client.close();
    throw error instanceof MongoParseError ? unusableUrlError(error) : fromMongo(error, database);
  }
}

function clientOf(url: string): MongoClient {
  try {
    return new MongoClient(url, options);
  } catch (error) {
    throw unusableUrlError(error);
  }
}

/** The error for an unusable URL: the driver's messages name options and hosts, but no password. */
function unusableUrlError(error: unknown): PortError {
  const detail = error instanceof Error ? error.message : String(error);
  return new PortError('mismatch', `MONGODB_URL cannot be used: ${detail}. Correct it and start again.`, error);
}
