// Commands as a careful client sends them: under one idempotency key until they are acknowledged.
import { randomUUID } from 'node:crypto';
import { createClient } from '../../../libs/client/index.ts';
import type { Client } from '../../../libs/client/index.ts';
import type { Cluster } from '../cluster.ts';
import { Asking } from './asking.ts';

export class Commands {
  readonly asking = new Asking();
  readonly #url: string;
  readonly #apiKey: string;
  readonly #client: Client;
  readonly #acknowledged: string[] = [];

  private constructor(baseUrl: string, apiKey: string) {
    this.#url = `${baseUrl}/v1/webhooks`;
    this.#apiKey = apiKey;
    this.#client = createClient({ baseUrl, apiKey });
  }

  static async to(cluster: Cluster): Promise<Commands> {
    return new Commands(cluster.baseUrl, await cluster.apiKey());
  }

  /** Makes a webhook that nothing is sent to. */
  async send(): Promise<void> {
    const body = await this.asking.untilAcknowledged(this.#url, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${this.#apiKey}`,
        'content-type': 'application/json',
        'idempotency-key': randomUUID(),
      },
      body: JSON.stringify({ url: 'http://127.0.0.1:9/', name: 'made by a command' }),
    });
    this.#acknowledged.push((JSON.parse(body) as { data: { id: string } }).data.id);
  }

  /** What was acknowledged is there, and nothing was made twice. */
  async expectWhole(): Promise<void> {
    const { data } = await this.#client.webhooks({ limit: 100 });
    const made = data.filter(({ name }) => name === 'made by a command').map(({ id }) => id);
    expect(made.sort()).toEqual(this.#acknowledged.toSorted());
  }
}
