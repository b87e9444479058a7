// Sends commands as a careful client does: with one idempotency key until they are acknowledged.
import { randomUUID } from 'node:crypto';
import { createClient } from '../../../libs/client/index.ts';
import type { Client } from '../../../libs/client/index.ts';
import type { Cluster } from '../cluster/cluster.ts';
import { Asking } from './asking.ts';

const webhookName = 'made by a command';
const sourceName = 'deployed by a command';
const component = 'export default { name: "Idle", version: "0.0.1", async run() {} }';

export class Commands {
  readonly asking = new Asking();
  readonly #baseUrl: string;
  readonly #apiKey: string;
  readonly #client: Client;
  readonly #webhooks: string[] = [];
  readonly #sources: string[] = [];
  readonly #components: string[] = [];

  private constructor(baseUrl: string, apiKey: string) {
    this.#baseUrl = baseUrl;
    this.#apiKey = apiKey;
    this.#client = createClient({ baseUrl, apiKey });
  }

  static async to(cluster: Cluster): Promise<Commands> {
    const commands = new Commands(cluster.baseUrl, await cluster.apiKey());
    await commands.#save();
    await commands.#count();
    return commands;
  }

  async #save(): Promise<void> {
    this.#components.push(await this.#make('components', { component_code: component }));
  }

  /** Requests a count from delivery, so that the request is on the log. */
  async #count(): Promise<void> {
    const { data } = await this.#client.subscriptions({ limit: 1 });
    for (const { id } of data) await this.#client.countReplay(id);
  }

  /** Creates a webhook that gets no events. */
  async send(): Promise<void> {
    this.#webhooks.push(await this.#make('webhooks', { url: 'http://127.0.0.1:9/', name: webhookName }));
  }

  /** Deploys a source that never runs: takes several steps, every second of which is lifecycle's. */
  async deploy(): Promise<void> {
    this.#sources.push(await this.#make('sources', { component_code: component, name: sourceName }));
  }

  /** Checks that everything acknowledged exists, and nothing twice. */
  async expectWhole(): Promise<void> {
    const [webhooks, sources, components] = await Promise.all([
      this.#client.webhooks({ limit: 100 }),
      this.#client.sources({ limit: 100 }),
      this.#client.components({ limit: 100 }),
    ]);
    expect(components.data.map(({ id }) => id)).toEqual(this.#components);
    expect(idsOf(webhooks.data, webhookName)).toEqual(this.#webhooks.toSorted());
    expect(idsOf(sources.data, sourceName)).toEqual(this.#sources.toSorted());
  }

  /** Creates a record; returns its id. */
  async #make(resources: string, request: object): Promise<string> {
    const body = await this.asking.untilAcknowledged(`${this.#baseUrl}/v1/${resources}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${this.#apiKey}`,
        'content-type': 'application/json',
        'idempotency-key': randomUUID(),
      },
      body: JSON.stringify(request),
    });
    return (JSON.parse(body) as { data: { id: string } }).data.id;
  }
}

const idsOf = (made: readonly { readonly id: string; readonly name: string | null }[], name: string): string[] =>
  made
    .filter((one) => one.name === name)
    .map(({ id }) => id)
    .sort();
