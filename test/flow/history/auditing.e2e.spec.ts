import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { createClient } from '../../../libs/client/index.ts';
import type { Client, HistoryQuery, HistoryRecord } from '../../../libs/client/index.ts';
import { faultOfExtension, faultOfRecord, readKeptCheckpoints } from '../../../libs/verifier/index.ts';
import type { Finding, Report } from '../../../libs/verifier/index.ts';
import { pd } from '../../cli/running/pd.ts';
import { engine } from '../../support/engine.ts';
import { Product } from '../../support/product.ts';
import { Receiver } from '../../support/receiver.ts';
import { until } from '../../support/until.ts';

/** Starts, signed rounds and a second start, on a busy machine. */
const storyMs = 120_000;
const orders = 6;

let product: Product;
let client: Client;
let channel: string;
let receiver: Receiver;
let subscriptionId: string;
beforeAll(async () => {
  receiver = await Receiver.start();
  product = await Product.start({ env: { CHECKPOINT_SECONDS: '1' } });
  client = createClient({ baseUrl: product.baseUrl, apiKey: await product.apiKey() });
  const source = await client.deploySource({ kind: 'channel', name: 'Orders' });
  channel = source.id;
  const webhook = await client.createWebhook({ url: receiver.url('/orders') });
  ({ id: subscriptionId } = await client.createSubscription({ emitter_id: channel, listener_id: webhook.id }));
  for (let order = 0; order < orders; order += 1) await client.publish(channel, [{ event: { order } }]);
  await waitUntilSigned();
  const keys = await client.signedHistory.keys();
  await writeFile(file('keys.json'), JSON.stringify({ data: keys }));
}, storyMs);
afterAll(async () => {
  await Promise.all([product.remove(), receiver.stop()]);
});

const file = (name: string): string => join(product.dataDir, name);
const env = async (): Promise<Record<string, string>> => ({
  HOME: product.dataDir,
  XDG_CONFIG_HOME: product.dataDir,
  PD_URL: product.baseUrl,
  PD_API_KEY: await product.apiKey(),
});

/** Waits until a checkpoint signs all published events. */
const waitUntilSigned = (): Promise<unknown> =>
  until('the orders to be signed', async () => {
    const { data } = await client.signedHistory.checkpoints({ topic: 'channels', limit: 1_000 });
    return data.some(({ count }) => count >= orders);
  });

const exportTo = async (name: string): Promise<string> => {
  const path = file(name);
  const { code, stderr } = await pd(['history', 'export', path], { env: await env() });
  expect({ code, stderr }).toEqual({ code: 0, stderr: `${path} is whole. Verify it with: pd audit verify ${path}\n` });
  return path;
};

/** Verifies an export without the service: without its URL and its API key. */
async function verifyExportFile(path: string, ...more: string[]): Promise<{ code: number | null; report: Report }> {
  const args = ['audit', 'verify', path, '--keys', file('keys.json'), '--json', ...more];
  const { code, stdout } = await pd(args, { env: { HOME: product.dataDir } });
  return { code, report: JSON.parse(stdout) as Report };
}

const summarise = (findings: readonly Finding[]): readonly string[] =>
  findings.filter(({ kind }) => kind !== 'file').map(({ kind, topic, index }) => `${kind} ${topic} ${index}`);

async function changeLines(path: string, change: (lines: readonly string[]) => readonly string[]): Promise<string> {
  const lines = (await readFile(path, 'utf8')).split('\n');
  const copy = `${path}.changed`;
  await writeFile(copy, change(lines).join('\n'));
  return copy;
}

test('history shows an order from its request to its delivery, with the API key that published it', async () => {
  const [published] = await client.publish(channel, [{ event: { order: 'followed' } }]);
  const subject = published?.id ?? '';
  const of = async (question: HistoryQuery): Promise<readonly HistoryRecord[]> => {
    const found: HistoryRecord[] = [];
    for await (const record of client.history.all(question)) found.push(record);
    return found;
  };
  await until('the delivery to stand in history', async () => (await of({ subject, topic: 'deliveries' })).length > 0);
  const [emitted] = await of({ subject, type: 'EventEmitted' });
  const correlation = emitted?.correlationid ?? '';
  const followed = await of({ correlation_id: correlation });
  const types = followed.map(({ type }) => type).sort();
  expect(types).toEqual(['DeliveryAttempted', 'EventEmitted', 'EventsPublishRequested']);
  const { data: keys } = await client.apiKeys.list();
  expect(new Set(followed.map(({ actor }) => actor))).toEqual(new Set([keys[0]?.id]));
  const { stdout } = await pd(['history', '--correlation', correlation, '--json'], { env: await env() });
  expect(JSON.parse(stdout)).toEqual(followed);
  const about = await pd(['history', subscriptionId, '--from', '1h'], { env: await env() });
  expect(about.stdout).toMatch(/SubscriptionCreated .* by key_/);
});

test('an export is verified without the service, which finds changed, missing, added and swapped records', async () => {
  const path = await exportTo('history.ndjson');
  const { code, report } = await verifyExportFile(path);
  expect([code, report.findings]).toEqual([0, []]);
  expect(report.records).toBeGreaterThan(orders);
  const own = await pd(['audit', 'verify', path, '--keys', path], { env: { HOME: product.dataDir } });
  expect([own.code, own.stderr]).toEqual([2, expect.stringContaining('--keys names the export itself')]);
  const lines = (await readFile(path, 'utf8')).split('\n');
  const at = lines.findIndex((line) => line.includes('"topic":"channels"') && line.includes('{"order":3}'));
  const { index } = JSON.parse(lines[at] ?? '') as { readonly index: number };
  const findingsAfter = async (change: (all: readonly string[]) => readonly string[]): Promise<readonly string[]> => {
    const found = await verifyExportFile(await changeLines(path, change));
    expect(found.code).toBe(1);
    return summarise(found.report.findings);
  };
  const line = lines[at] ?? '';
  expect(await findingsAfter((all) => all.with(at, line.replace('"order":3', '"order":4')))).toEqual([
    `changed channels ${index}`,
  ]);
  expect(await findingsAfter((all) => all.toSpliced(at, 1))).toEqual([`missing channels ${index}`]);
  expect(await findingsAfter((all) => all.toSpliced(at, 0, line))).toEqual([`added channels ${index}`]);
  const other = lines.findIndex((each) => each.includes('"topic":"channels"') && each.includes('{"order":2}'));
  const contents = (from: number, to: number): string =>
    (lines[to] ?? '').replace(/"index":\d+/, /"index":\d+/.exec(lines[from] ?? '')?.[0] ?? '');
  const swapped = await findingsAfter((all) => all.with(at, contents(at, other)).with(other, contents(other, at)));
  // With a checkpoint between the two, neither belongs to its part, and the newest time of a checkpoint can differ.
  const ofRecords = swapped.filter((finding) => finding !== 'checkpoint channels undefined');
  const named = ofRecords.map((finding) => /^(?:moved|changed) channels (\d+)$/.exec(finding)?.[1]);
  const { index: before } = JSON.parse(lines[other] ?? '') as { readonly index: number };
  expect(new Set([...named, String(index), String(before)])).toEqual(new Set([String(index), String(before)]));
  expect(named.length).toBeGreaterThan(0);
}, 60_000);

test('proofs of a record and of the growth of history can be checked with the public keys', async () => {
  const keys = (await client.signedHistory.keys()).map(({ public_key }) => public_key);
  const { data } = await client.signedHistory.checkpoints({ topic: 'commands', limit: 1_000 });
  const [first, last] = [data[0], data.at(-1)];
  if (first === undefined || last === undefined) throw new Error('commands are signed');
  const extension = await client.signedHistory.consistency(first.id, last.id);
  const [from, to] = readKeptCheckpoints(JSON.stringify(extension));
  if (from === undefined || to === undefined) throw new Error('a proof names both');
  expect(faultOfExtension({ from, to, path: extension.path }, keys)).toBeUndefined();
  const path = await exportTo('proof.ndjson');
  const line = (await readFile(path, 'utf8')).split('\n').find((each) => each.includes('{"order":3}')) ?? '';
  const { topic, event } = JSON.parse(line) as { topic: string; event: { id: string; time: string } };
  const proof = await client.signedHistory.proof({ id: event.id, topic, time: Date.parse(event.time) });
  const [checkpoint] = readKeptCheckpoints(JSON.stringify(proof));
  if (checkpoint === undefined) throw new Error('a proof has its checkpoint');
  expect(faultOfRecord({ ...proof, checkpoint }, keys)).toBeUndefined();
});

test('after a change of keys, an export can be verified with the previous key alone', async () => {
  const { code, stdout } = await pd(['audit', 'change-key', '--json'], { env: await env() });
  expect(code).toBe(0);
  const { id } = JSON.parse(stdout) as { id: string };
  await client.publish(channel, [{ event: { order: 'after' } }]);
  await until('the new key to sign', async () => {
    const { data } = await client.signedHistory.checkpoints({ topic: 'channels', limit: 1_000 });
    return data.some(({ signatures }) => signatures.length === 2 && signatures[0]?.key_id === id);
  });
  const { report } = await verifyExportFile(await exportTo('changed-key.ndjson'));
  expect(report.findings).toEqual([]);
}, 60_000);

test('an export that was cut off is resumed and can be verified, and a complete one is not resumed', async () => {
  const path = await exportTo('resumed.ndjson');
  const exportText = await readFile(path, 'utf8');
  const cursor = exportText.indexOf('{"cursor":');
  await writeFile(path, exportText.slice(0, exportText.indexOf('\n', cursor) + 20));
  const { code } = await pd(['history', 'export', path], { env: await env() });
  expect(code).toBe(0);
  const { report } = await verifyExportFile(path);
  expect(report.findings).toEqual([]);
  const again = await pd(['history', 'export', path], { env: await env() });
  expect(again).toMatchObject({ code: 2, stderr: expect.stringContaining('whole export already') });
});

/** Kafka's files cannot easily be changed by hand, so only on the embedded engine. */
if (engine === 'embedded') {
  test(
    'the next export reveals a row of the log that was changed while the service was stopped',
    async () => {
      const { data } = await client.signedHistory.checkpoints({ topic: 'channels', limit: 1_000 });
      await writeFile(file('kept.json'), JSON.stringify({ data }));
      await product.stop();
      const db = new Database(file('log.sqlite'));
      const change = `UPDATE channels SET lines = replace(lines, '"order":3', '"order":9') WHERE instr(lines, '"order":3') > 0`;
      const { changes } = db.prepare(change).run();
      db.close();
      expect(changes).toBe(1);
      await product.start();
      const { code, report } = await verifyExportFile(
        await exportTo('rewritten.ndjson'),
        '--checkpoints',
        file('kept.json'),
      );
      expect(code).toBe(1);
      const [record, ...others] = report.findings.filter(({ kind }) => kind !== 'rewritten');
      expect(others).toEqual([]);
      expect(record).toMatchObject({ kind: 'changed', topic: 'channels', id: expect.any(String) });
      expect(record?.message).toMatch(/^channels\/\d+ record \d+ \(\S+\) was changed$/);
      const [rewrittenFinding] = report.findings.filter(({ kind }) => kind === 'rewritten');
      expect(rewrittenFinding?.message).toMatch('that was kept outside');
    },
    storyMs,
  );
}
