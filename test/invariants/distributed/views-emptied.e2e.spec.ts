import { MongoClient } from 'mongodb';
import { Cluster } from '../../support/cluster/cluster.ts';
import { lightJava } from '../../support/cluster/light-java.ts';
import { until } from '../../support/until.ts';

/** The pointer to the live views is read again every second, an idle projection looks every second; the rest is the machine's. */
const filledWithinMs = 30_000;
const startMs = 120_000;

let cluster: Cluster;
let headers: Readonly<Record<string, string>>;

beforeAll(async () => {
  cluster = await Cluster.start({ brokerOptions: { javaOptions: lightJava } });
  headers = { authorization: `Bearer ${await cluster.apiKey()}`, 'content-type': 'application/json' };
}, startMs);

afterAll(() => cluster?.remove(), startMs);

async function createWebhook(name: string): Promise<void> {
  const body = JSON.stringify({ url: 'http://127.0.0.1:9/', name });
  const { status } = await fetch(`${cluster.baseUrl}/v1/webhooks`, { method: 'POST', headers, body });
  expect(status).toBe(200);
}

/** Newest first. */
async function webhooks(): Promise<string> {
  const answer = await fetch(`${cluster.baseUrl}/v1/webhooks`, { headers });
  if (!answer.ok) return String(answer.status);
  const { data } = (await answer.json()) as { data: readonly { readonly name: string }[] };
  return data.map(({ name }) => name).join();
}

/** As when the server is replaced by one without data. */
async function emptyViews(): Promise<void> {
  const client = new MongoClient(cluster.environment['MONGODB_URL'] ?? '');
  try {
    await client.db().dropDatabase();
  } finally {
    await client.close();
  }
}

test('views that are emptied while everything runs are filled again by themselves, with nothing appended meanwhile', async () => {
  await createWebhook('first');
  await createWebhook('second');
  await emptyViews();
  await until('the views to be filled', async () => (await webhooks()) === 'second,first', filledWithinMs);
  expect(cluster.unexpectedExits).toEqual([]);
}, 60_000);

test('what is created while the views are being filled does not leave out what was before, nor does a later start', async () => {
  await emptyViews();
  await createWebhook('third');
  await until('the views to be filled', async () => (await webhooks()) === 'third,second,first', filledWithinMs);
  const [projection] = cluster.instances('projection');
  await projection?.kill();
  await projection?.start();
  await createWebhook('fourth');
  // Brokers miss the one that was killed after 6 s, and an answer waits 5 s for the views.
  const all = 'fourth,third,second,first';
  const seen = new Set<string>();
  await until('the fourth to be shown', async () => seen.add(await webhooks()).has(all), filledWithinMs);
  expect([...seen].filter((shown) => shown !== all && shown !== 'third,second,first')).toEqual([]);
  expect(cluster.unexpectedExits).toEqual([]);
}, 90_000);
