// The MongoDB server that specs run against, and databases of their own on it.
import { MongoClient, ObjectId } from 'mongodb';

const url = process.env['MONGODB_URL'];

/** Declares specs for the server of MONGODB_URL; without one they are skipped, which fails where it must not be. */
export function onServer(declare: (url: string) => void): void {
  if (url !== undefined) return declare(url);
  test('a MongoDB server is there to test against', () => {
    if (process.env['CI'] === 'true') throw new Error('Set MONGODB_URL: with CI=true no suite is skipped');
    process.stdout.write('skipped: set MONGODB_URL to test the views on a MongoDB server\n');
  });
}

export interface OwnDatabase {
  readonly database: string;
  readonly client: MongoClient;
  readonly drop: () => Promise<void>;
}

/** A name that nobody else uses. */
export function ownDatabase(server: string): OwnDatabase {
  const database = `wellspring_test_${new ObjectId().toHexString()}`;
  const client = new MongoClient(server);
  const drop = async (): Promise<void> => {
    await client.db(database).dropDatabase();
    await client.close();
  };
  return { database, client, drop };
}
