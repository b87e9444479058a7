// Sends commands as a careful client does: with one idempotency key until they are acknowledged.
import { randomUUID } from 'node:crypto';
import { createClient } from '../../../libs/client/index.ts';
import type { Client } from '../../../libs/client/index.ts';
import type { Cluster } from '../cluster/cluster.ts';
import { RetryingClient } from './retrying-client.ts';

const webhookName = 'made by a command';
const sourceName = 'deployed by a command';
const component = 'export default { name: "Idle", version: "0.0.1", async run() {} }';

export class Commands {
  readonly retryingClient = new RetryingClient();
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

  static async connect(cluster: Cluster): Promise<Commands> {
    const commands = new Commands(cluster.baseUrl, await cluster.apiKey());
    await commands.#saveComponent();
    await commands.#requestCount();
    return commands;
  }

  async #saveComponent(): Promise<void> {
    this.#components.push(await this.#create('components', { component_code: component }));
  }

  /** Requests a count from delivery, so that the request is on the log. */
  async #requestCount(): Promise<void> {
    const { data } = await this.#client.subscriptions({ limit: 1 });
    for (const { id } of data) await this.#client.countReplay(id);
  }

  /** Creates a webhook that gets no events. */
  async send(): Promise<void> {
    this.#webhooks.push(await this.#create('webhooks', { url: 'http://127.0.0.1:9/', name: webhookName }));
  }

  /** Deploys a source that never runs: takes several steps, every second of which is lifecycle's. */
  async deploy(): Promise<void> {
    this.#sources.push(await this.#create('sources', { component_code: component, name: sourceName }));
  }

  /** Checks that everything acknowledged exists, and nothing twice. */
  async expectComplete(): Promise<void> {
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
  async #create(resources: string, request: object): Promise<string> {
    const body = await this.retryingClient.untilAcknowledged(`${this.#baseUrl}/v1/${resources}`, {
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

const idsOf = (items: readonly { readonly id: string; readonly name: string | null }[], name: string): string[] =>
  items
    .filter((one) => one.name === name)
    .map(({ id }) => id)
    .sort();
