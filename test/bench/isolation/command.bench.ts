// How long a command takes while another client publishes large events, against the same command without it.
import { createClient } from '../../../libs/client/index.ts';
import type { Client } from '../../../libs/client/index.ts';
import { Product } from '../../support/product.ts';
import { pause } from '../../support/until.ts';
import { figure, quantile } from '../report/figure.ts';
import type { Bench, Figure } from '../report/figure.ts';

const channels = 8;
const requestsInFlight = 32;
const eventBytes = 50_000;
const warmUpMs = 2_000;
const windowMs = 8_000;
const betweenCommandsMs = 100;

export const commandBench: Bench = { name: 'command', run };

async function run(): Promise<readonly Figure[]> {
  const product = await Product.start();
  try {
    const apiKey = await product.apiKey();
    const api = createClient({ baseUrl: product.baseUrl, apiKey });
    const ids: string[] = [];
    for (let n = 0; n < channels; n++) ids.push((await api.deploySource({ kind: 'channel', name: `Channel ${n}` })).id);
    await measureCommands(api, warmUpMs);
    const alone = await measureCommands(api, windowMs);
    const publisher = new Publisher(api, ids);
    await pause(warmUpMs);
    const before = publisher.published;
    const beside = await measureCommands(api, windowMs);
    const published = publisher.published - before;
    await publisher.end();
    return [
      ...([0.5, 0.99] as const).map((q) =>
        comparisonFigure(`command.p${q * 100}`, quantile(beside, q), quantile(alone, q)),
      ),
      figure('command.published', (published * eventBytes) / 1e6 / (windowMs / 1_000), 'MB/s'),
    ];
  } finally {
    await product.remove();
  }
}

const comparisonFigure = (name: string, value: number, bound: number): Figure => ({
  name,
  value,
  unit: 'ms',
  bound,
  ratio: value / bound,
  goal: null,
});

/** The durations of commands sent one after another, in milliseconds. */
async function measureCommands(api: Client, durationMs: number): Promise<readonly number[]> {
  const times: number[] = [];
  for (const endAt = performance.now() + durationMs; performance.now() < endAt;) {
    const startedAt = performance.now();
    await api.createWebhook({ url: 'https://receiver.example/' });
    times.push(performance.now() - startedAt);
    await pause(betweenCommandsMs);
  }
  return times;
}

/** Publishes as fast as it is answered, until it is stopped. */
class Publisher {
  published = 0;
  #isEnding = false;
  readonly #ended: Promise<unknown>;

  constructor(api: Client, ids: readonly string[]) {
    const lines = Array.from({ length: requestsInFlight }, (_, n) => this.#publish(api, ids[n % ids.length] ?? ''));
    this.#ended = Promise.all(lines);
  }

  async end(): Promise<void> {
    this.#isEnding = true;
    await this.#ended;
  }

  async #publish(api: Client, id: string): Promise<void> {
    const event = { text: 'x'.repeat(eventBytes) };
    while (!this.#isEnding) {
      await api.publish(id, [{ event }]);
      this.published++;
    }
  }
}
