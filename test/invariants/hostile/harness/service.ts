// The attacked service: the product, innocent neighbours, and a source that answers with the request that it saw.
import { createClient } from '../../../../libs/client/index.ts';
import type { Client, NewSource } from '../../../../libs/client/index.ts';
import { residentOfEach, usageOfGroup } from '../../../bench/load/process-group.ts';
import { Product } from '../../../support/product.ts';
import type { Target } from '../cases/attack.ts';
import { HostileUpstream } from '../cases/upstream.ts';
import { Witness } from './watch/witness-process.ts';
import type { Observation } from './watch/witness.ts';

/** Enough that every runner process of an attacker also has one. */
export const quickNeighbours = 4;
const slowNeighbours = 2;
/** At the rate of requests, a slow neighbour runs most of the time without falling behind. */
const slowMs = 80;
const healthEveryMs = 50;
/** The size of a large, but ordinary request. */
const largeBytes = 500 * 1024;

/** Two kinds: fast ones show delays, and slow ones have a run under way whenever a process dies. */
const neighbour = (pauseMs: number): string => `
module.exports = {
  name: 'Neighbour', version: '0.0.1',
  props: { http: { type: '$.interface.http', customResponse: true } },
  async run({ body }) {
    if (${pauseMs} > 0) await new Promise((done) => setTimeout(done, ${pauseMs}));
    this.$emit({ n: body.n });
    this.http.respond({ status: 200, body: { n: body.n } });
  },
};`;

/** A different text each, so that none is compiled already. */
const ordinary = (n: number): string => `// ${n}
module.exports = {
  name: 'Ordinary', version: '0.0.1',
  props: { http: { type: '$.interface.http', customResponse: true } },
  run() { this.http.respond({ status: 200, body: 'ran' }); },
};`;

const echo = `
module.exports = {
  name: 'Echo', version: '0.0.1',
  props: { http: { type: '$.interface.http', customResponse: true } },
  run({ method, path, query, headers, body, url }) {
    this.http.respond({ status: 200, body: { echo: { method, path, url, query, names: Object.keys(headers), body: typeof body } } });
  },
};`;

interface ServiceParts {
  readonly product: Product;
  readonly client: Client;
  readonly neighbours: readonly NewSource[];
  readonly target: Target;
  readonly upstream: HostileUpstream;
}

export class AttackedService {
  readonly product: Product;
  readonly client: Client;
  readonly neighbours: readonly NewSource[];
  readonly target: Target;
  /** Requests that must each have exactly one event and no failed run. */
  readonly accepted = new Set<number>();
  readonly #witness = new Witness();
  readonly #upstream: HostileUpstream;
  /** Sources without requests since the start, which are therefore not loaded. */
  readonly #sleepers: NewSource[] = [];
  #nextNumber = 0;
  #ordinaryCount = 0;

  private constructor({ product, client, neighbours, target, upstream }: ServiceParts) {
    this.product = product;
    this.#upstream = upstream;
    this.client = client;
    this.neighbours = neighbours;
    this.target = target;
  }

  /** Starts a healthy service with neighbours, and so many sources that are not loaded yet. */
  static async start(sleepers: number): Promise<AttackedService> {
    const upstream = await HostileUpstream.start();
    const product = await Product.create({ env: { EGRESS_MAP: upstream.map } });
    try {
      await product.start();
      const apiKey = await product.apiKey();
      const client = createClient({ baseUrl: product.baseUrl, apiKey });
      const neighbours: NewSource[] = [];
      for (let i = 0; i < quickNeighbours + slowNeighbours; i++)
        neighbours.push(await client.deploySource({ component_code: neighbour(i < quickNeighbours ? 0 : slowMs) }));
      const { id, configured_props } = await client.deploySource({ component_code: echo });
      const echoPath = new URL(configured_props.http.endpoint_url).pathname;
      const target = { host: `127.0.0.1:${product.port}`, apiKey, echoPath, echoId: id };
      const service = new AttackedService({ product, client, neighbours, target, upstream });
      for (let i = 0; i < sleepers; i++) service.#sleepers.push(await service.deployOrdinary());
      // Restarted, because deploys leave things in memory.
      await product.kill();
      await product.start();
      return service;
    } catch (error) {
      upstream.stop();
      await product.remove();
      throw error;
    }
  }

  deployOrdinary(): Promise<NewSource> {
    return this.client.deploySource({ component_code: ordinary(this.#ordinaryCount++) });
  }

  /** Deploys and runs an ordinary source; throws if that fails. */
  async runOrdinary(): Promise<NewSource> {
    const source = await this.deployOrdinary();
    await requestOrdinary(source);
    return source;
  }

  /** Sends a request of half a mebibyte; throws if it is not accepted. */
  async sendLarge(): Promise<void> {
    const { host, echoPath } = this.target;
    const response = await fetch(`http://${host}${echoPath}`, { method: 'POST', body: 'x'.repeat(largeBytes) });
    await response.arrayBuffer();
    if (response.status !== 200) throw new Error(`it answered ${response.status}`);
  }

  /** Runs a source that was not loaded since the start; throws if that fails. */
  async wakeSleeper(): Promise<void> {
    const sleeper = this.#sleepers.pop();
    if (sleeper === undefined) throw new Error('there is no source left that was not loaded yet');
    await requestOrdinary(sleeper);
  }

  /** Polls health, and sends so many requests per second to the neighbours, until `stopWatching`. */
  startWatching(requestsPerSecond: number): void {
    this.#witness.watch({
      healthUrl: `${this.product.baseUrl}/health`,
      endpoints: this.neighbours.map(({ configured_props }) => configured_props.http.endpoint_url),
      from: this.#nextNumber,
      healthEveryMs,
      requestEveryMs: 1_000 / requestsPerSecond,
    });
  }

  async stopWatching(): Promise<readonly Observation[]> {
    const observations = await this.#witness.stop();
    for (const { of, n, status } of observations) {
      if (of !== 'neighbour') continue;
      this.#nextNumber = Math.max(this.#nextNumber, n + 1);
      if (status === 200) this.accepted.add(n);
    }
    return observations;
  }

  /** Resident memory of all processes of the product. */
  get residentMiB(): number {
    return usageOfGroup(this.product.pid).residentMiB;
  }

  /** The same for each process, as text. */
  get residentText(): string {
    return residentOfEach(this.product.pid)
      .map(({ script, residentMiB }) => `${Math.round(residentMiB)} (${script})`)
      .join(' + ');
  }

  async remove(): Promise<void> {
    this.#witness.kill();
    this.#upstream.stop();
    await this.product.remove();
  }
}

async function requestOrdinary({ configured_props }: NewSource): Promise<void> {
  const response = await fetch(configured_props.http.endpoint_url, { method: 'POST' });
  const text = await response.text();
  if (response.status !== 200 || text !== 'ran')
    throw new Error(`it answered ${response.status} ${text.slice(0, 200)}`);
}
