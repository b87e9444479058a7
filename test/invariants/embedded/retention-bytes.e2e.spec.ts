// A log larger than RETENTION_BYTES drops its oldest events until it is smaller, and keeps recent ones.
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { createClient } from '../../../libs/client/index.ts';
import type { ApiError } from '../../../libs/client/index.ts';
import { recordOf, samples } from '../../../libs/domain/record/samples.fake.ts';
import { Product } from '../../support/product.ts';
import { until } from '../../support/until.ts';
import { writeToLog } from '../../support/stopped-log.ts';
import type { RecordToWrite } from '../../support/stopped-log.ts';

const storyMs = 240_000;
const dayMs = 24 * 60 * 60 * 1_000;

const bytesMax = 64 * 1024 * 1024;
/** Each takes some 300 KiB, which cannot be compressed further. */
const old = 280;
const young = 5;
const largeText = (): string => randomBytes(300 * 1024).toString('base64');

/** As if the source had emitted them three days ago. */
function oldRecords(sourceId: string, workspace: string): RecordToWrite[] {
  const at = Date.now() - 3 * dayMs;
  return Array.from({ length: old }, (_, n) => {
    const event = {
      ...samples.channels.EventEmitted,
      emitterId: sourceId,
      eventId: `${at + n}-${n}`,
      event: largeText(),
    };
    const record = recordOf('EventEmitted', event, { key: sourceId, workspace, at: at + n });
    return { topic: 'channels', record: { ...record, id: `rec_old${n}` } };
  });
}

/** Without the free space in it. */
function usedBytes(dataDir: string): number {
  const database = new Database(join(dataDir, 'log.sqlite'), { readonly: true });
  const pragma = (name: string): number => database.pragma(name, { simple: true }) as number;
  const used = (pragma('page_count') - pragma('freelist_count')) * pragma('page_size');
  database.close();
  return used;
}

test(
  'RETENTION_BYTES removes the oldest events from the views and the log, without a limit on age',
  async () => {
    const first = await Product.start({ env: { RETENTION_DAYS: '0' } });
    const { dataDir, port } = first;
    const client = createClient({ baseUrl: first.baseUrl, apiKey: await first.apiKey() });
    const code = await readFile(new URL('../../flow/components/ticker.js', import.meta.url), 'utf8');
    const source = await client.deploySource({ component_code: code });
    const { id: workspace = '' } = (await client.me()).orgs[0] ?? {};
    await first.stop();
    await writeToLog(dataDir, oldRecords(source.id, workspace));
    expect(usedBytes(dataDir)).toBeGreaterThan(bytesMax);

    const product = await Product.create({
      dataDir,
      port,
      env: { RETENTION_DAYS: '0', RETENTION_BYTES: String(bytesMax) },
    });
    try {
      await product.start();
      const headers = { 'content-type': 'application/json' };
      const endpoint = source.configured_props.http.endpoint_url;
      for (let n = 0; n < young; n++) await fetch(endpoint, { method: 'POST', headers, body: JSON.stringify({ n }) });
      // Undefined while the views lack what was written to the log, since nothing is read from them then.
      const events = (): Promise<number | undefined> =>
        client.eventSummaries(source.id).then(
          ({ page_info }) => page_info.total_count,
          (error: ApiError) => (error.status === 503 ? undefined : Promise.reject(error)),
        );
      await until('the old events to be gone from the views', async () => (await events()) === young, storyMs / 2);
      await until('the log to be below its bound', () => usedBytes(dataDir) < bytesMax, storyMs / 2);
      expect(await events()).toBe(young);
    } finally {
      await product.remove();
    }
  },
  storyMs,
);
