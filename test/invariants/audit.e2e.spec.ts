// Kills, a change of keys and a rebuild of the views do not break signing: each checkpoint extends the previous one.
import { readFile } from 'node:fs/promises';
import { createClient } from '../../libs/client/index.ts';
import type { CheckpointSigned, TreeEvent } from '../../libs/domain/audit/messages.ts';
import { signedTopics } from '../../libs/domain/flow.ts';
import { signedRecord } from '../../libs/domain/history/signed-line.ts';
import { type Checkpoint, isSigned, publicKeyOf } from '../../libs/verifier/checkpoint.ts';
import { hashOfLeaf } from '../../libs/verifier/leaf.ts';
import { Edge } from '../../libs/verifier/tree/edge.ts';
import { sha256Hex } from '../../libs/verifier/tree/hashes.ts';
import { engine } from '../support/engine.ts';
import { Product } from '../support/product.ts';
import { Receiver } from '../support/receiver.ts';
import { expectVerifiedHistory } from '../support/signed-history.ts';
import { pause, until } from '../support/until.ts';
import { readLog } from '../support/stopped-log.ts';

/** Kills, starts and deploys on a busy machine. */
const storyMs = engine === 'embedded' ? 240_000 : 480_000;
/** Each start of many processes takes half a minute there. */
const kills = engine === 'embedded' ? 4 : 2;
const posted = 20;
/** A checkpoint every second. On the distributed engine two audit processes run, one of them on standby. */
const env = { CHECKPOINT_SECONDS: '1', ...(engine === 'embedded' ? {} : { SCALE: 'audit=2' }) };

interface ScriptResult {
  readonly checkpoints: readonly Pick<CheckpointSigned, 'line' | 'signatures'>[];
}

let product: Product;
let receiver: Receiver;
beforeAll(async () => {
  receiver = await Receiver.start();
  product = await Product.start({ env });
}, storyMs);
afterAll(async () => {
  await product.remove();
  await receiver.stop();
});

/** Compares every checkpoint with the records on the log, and returns the lines of all checkpoints. */
async function expectHistoryVerifies(): Promise<ReadonlySet<string>> {
  const records = await readLog(product.dataDir, ...signedTopics);
  const leaves = new Map<string, Buffer[]>();
  for (const record of records) {
    const topic = signedTopics.find((one) => one === record.topic);
    if (topic === undefined) throw new Error(`${record.topic} was not asked for`);
    const key = `${topic}/${record.partition}`;
    leaves.set(key, [...(leaves.get(key) ?? []), hashOfLeaf(signedRecord(topic, record).leaf)]);
  }
  const keys = new Map(
    (await readLog(product.dataDir, 'trees'))
      .map((record) => record as unknown as TreeEvent)
      .flatMap((record) =>
        record.type === 'AuditKeyMade' ? [[record.data.keyId, record.data.publicKey] as const] : [],
      ),
  );
  expect(keys.size).toBe(2);
  const last = new Map<string, { readonly edge: Edge; readonly hash: string }>();
  const lines = new Set<string>();
  for (const record of await readLog(product.dataDir, 'checkpoints')) {
    const { line, signatures } = record.data as CheckpointSigned;
    const checkpoint = JSON.parse(line) as Checkpoint;
    const key = `${checkpoint.topic}/${checkpoint.partition}`;
    const before = last.get(key) ?? { edge: new Edge(), hash: '' };
    expect(checkpoint.count).toBeGreaterThan(before.edge.count);
    expect(checkpoint.previous).toBe(before.hash);
    for (const leaf of (leaves.get(key) ?? []).slice(before.edge.count, checkpoint.count)) before.edge.append(leaf);
    expect([key, before.edge.count, before.edge.root().toString('hex')]).toEqual([
      key,
      checkpoint.count,
      checkpoint.root,
    ]);
    for (const { keyId, signature } of signatures) {
      const publicKey = publicKeyOf(keys.get(keyId) ?? '');
      expect(publicKey !== undefined && isSigned(line, signature, publicKey)).toBe(true);
    }
    last.set(key, { edge: before.edge, hash: sha256Hex(line) });
    lines.add(line);
  }
  return lines;
}

test(
  `after ${kills} kills, every checkpoint extends the previous one and matches the log, also those sent to a webhook`,
  async () => {
    const client = createClient({ baseUrl: product.baseUrl, apiKey: await product.apiKey() });
    const code = await readFile(new URL('../flow/components/ticker.js', import.meta.url), 'utf8');
    const source = await client.deploySource({ component_code: code });
    const webhook = await client.createWebhook({ url: receiver.url('/witness') });
    const { id: workspace = '' } = (await client.me()).orgs[0] ?? {};
    await client.createSubscription({ emitter_id: workspace, listener_id: webhook.id, event_name: '$audit' });
    const post = async (): Promise<void> => {
      const body = JSON.stringify({ n: 1 });
      const headers = { 'content-type': 'application/json' };
      for (let n = 0; n < posted; n++) {
        await fetch(source.configured_props.http.endpoint_url, { method: 'POST', headers, body });
      }
    };
    for (let kill = 0; kill < kills; kill++) {
      await post();
      await pause(700 + kill * 200);
      // The last kill comes right after a change of keys.
      if (kill === kills - 1) await client.signedHistory.changeKey();
      await product.kill();
      await product.start();
    }
    await post();
    const told = (): readonly Checkpoint[] =>
      receiver
        .firstCopies<ScriptResult>('/witness')
        .flatMap(({ checkpoints }) => checkpoints.map(({ line }) => JSON.parse(line) as Checkpoint));
    const isToldOfAll = (): boolean => {
      const counts = told().flatMap(({ topic, count }) => (topic === 'channels' ? [count] : []));
      return Math.max(0, ...counts) >= posted * (kills + 1);
    };
    await until('the webhook to be told of every event', isToldOfAll, storyMs / 4);
    expect(await product.rebuild()).toMatchObject({ code: 0 });
    await expectVerifiedHistory(client);
    await product.stop();
    const lines = await expectHistoryVerifies();
    for (const { checkpoints } of receiver.firstCopies<ScriptResult>('/witness'))
      for (const { line } of checkpoints) expect(lines).toContain(line);
  },
  storyMs,
);
