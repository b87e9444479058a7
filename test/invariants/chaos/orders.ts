// Publishes numbered orders on a channel, each batch again and again until it is acknowledged.
import type { Client } from '../../../libs/client/index.ts';
import { pause } from '../../support/until.ts';

export interface Order {
  readonly channel: number;
  /** From 0, without gaps on its channel. */
  readonly n: number;
  readonly even: boolean;
  /** One of `customers`. */
  readonly customer: number;
}

/** Orders go to these customers in turn. */
export const customers = 7;
const batchMax = 100;
/** Wait after a failed request, because the product might have been killed. */
const retryPauseMs = 50;

export class Orders {
  readonly sourceId: string;
  readonly #client: Client;
  readonly channel: number;
  /** Orders that were sent, acknowledged or not. */
  sent = 0;
  acknowledged = 0;

  constructor(client: Client, sourceId: string, channel: number) {
    this.#client = client;
    this.sourceId = sourceId;
    this.channel = channel;
  }

  /** Publishes one batch of 1 to 100 orders; resolves once it is acknowledged. */
  async publish(count: number): Promise<void> {
    const first = this.acknowledged;
    this.sent = first + Math.min(count, batchMax);
    const events = Array.from({ length: this.sent - first }, (_, i) => this.#event(first + i));
    for (;;) {
      const response = await this.#client.publish(this.sourceId, events).catch(() => undefined);
      if (response !== undefined) break;
      await pause(retryPauseMs);
    }
    this.acknowledged = this.sent;
  }

  #event(n: number): { readonly event: Order; readonly id: string } {
    return { event: orderOf(this.channel, n), id: String(n) };
  }
}

export const orderOf = (channel: number, n: number): Order => ({
  channel,
  n,
  even: n % 2 === 0,
  customer: n % customers,
});
