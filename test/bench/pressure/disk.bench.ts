// The disk space, in log and views, of an event of 0.25 KB that is run, emitted and delivered to one webhook.
import { randomBytes } from 'node:crypto';
import { createClient } from '../../../libs/client/index.ts';
import { Product } from '../../support/product.ts';
import { Receiver } from '../../support/receiver.ts';
import { pause, until } from '../../support/until.ts';
import { component } from '../load/load-setup.ts';
import { figure, type Bench, type BenchOptions, type Figure } from '../report/figure.ts';

const eventsDefault = 12_000;
/** Events before the measurement, so that the initial space of a service is not counted. */
const warmUp = 2_000;
const postsAtOnce = 8;
/** With its number and the names of its fields, an event has 0.25 KB. */
const padBytes = 168;
/** Time in which records are packed and views are written to their file. */
const quietMs = 40_000;
const deadlineMs = 300_000;

export const disk: Bench = { name: 'disk', runs: 1, run };

async function run({ size = eventsDefault }: BenchOptions): Promise<readonly Figure[]> {
  const receiver = await Receiver.start();
  const product = await Product.start();
  try {
    const client = createClient({ baseUrl: product.baseUrl, apiKey: await product.apiKey() });
    const source = await client.deploySource({ component_code: component });
    const { id } = await client.createWebhook({ url: receiver.url('/') });
    await client.createSubscription({ emitter_id: source.id, listener_id: id });
    const publishAndMeasure = async (from: number, to: number): Promise<StoredBytes> => {
      await postEvents(source.configured_props.http.endpoint_url, from, to);
      await until('every delivery', () => receiver.received.length >= to, deadlineMs);
      await pause(quietMs);
      return measureStored(product);
    };
    const before = await publishAndMeasure(0, warmUp);
    const after = await publishAndMeasure(warmUp, warmUp + size);
    const bytesPerEvent = (part: keyof StoredBytes): number => (after[part] - before[part]) / size;
    return [
      figure('disk.log', bytesPerEvent('log'), 'bytes/event'),
      figure('disk.views', bytesPerEvent('views'), 'bytes/event'),
      figure('disk', bytesPerEvent('log') + bytesPerEvent('views'), 'bytes/event', '<= 2,500 bytes'),
    ];
  } finally {
    await product.remove();
    await receiver.stop();
  }
}

async function postEvents(url: string, from: number, to: number): Promise<void> {
  let next = from;
  const poster = async (): Promise<void> => {
    while (next < to) {
      const body = JSON.stringify({
        n: next++,
        name: 'event',
        pad: randomBytes((padBytes / 4) * 3).toString('base64'),
      });
      const response = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
      if (!response.ok) throw new Error(`The endpoint answered ${response.status}`);
      await response.arrayBuffer();
    }
  };
  await Promise.all(Array.from({ length: postsAtOnce }, poster));
}

interface StoredBytes {
  readonly log: number;
  readonly views: number;
}

/** The size of the log's used pages, and of the file of the views. */
async function measureStored({ baseUrl }: Product): Promise<StoredBytes> {
  const text = await (await fetch(`${baseUrl}/metrics`)).text();
  const metricOf = (store: string, part: string): number =>
    Number(
      new RegExp(`^wellspring_store_bytes\\{store="${store}",part="${part}"\\} (\\d+)`, 'm').exec(text)?.[1] ?? NaN,
    );
  return { log: metricOf('log', 'used'), views: metricOf('views', 'file') };
}
