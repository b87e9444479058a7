// Looks up what the log defines now, where a view would be too late or too slow: endpoints, channels, webhook offsets.
import type { Channel, Channels } from '../control/registry/channels.ts';
import type { Endpoint, Endpoints } from '../control/registry/endpoints.ts';
import type { WebhookOffsets } from '../control/registry/webhook-offsets.ts';
import { unavailable } from '../http/api-problem.ts';

export interface DefinitionsOptions {
  readonly endpoints: Endpoints;
  readonly channels: Channels;
  readonly webhooks: WebhookOffsets;
  /** Reads the log to its end. Throws ApiProblem 503 if that takes too long. */
  readonly ensureCurrent: () => Promise<void>;
}

export class Definitions {
  readonly #options: DefinitionsOptions;

  constructor(options: DefinitionsOptions) {
    this.#options = options;
  }

  /** Only from memory, without reading the log: the hot path. */
  knownEndpoint(endpointKey: string): Endpoint | undefined {
    return this.#options.endpoints.find(endpointKey);
  }

  /** Undefined: there is no such endpoint now. */
  async endpointOf(endpointKey: string): Promise<Endpoint | undefined> {
    const { endpoints, ensureCurrent } = this.#options;
    await ensureCurrent();
    const endpoint = endpoints.find(endpointKey);
    if (endpoint === undefined && !endpoints.isComplete)
      throw unavailable('The definitions of sources are not on the log yet.');
    return endpoint;
  }

  /** Undefined: there is no such source now, or it runs a component. */
  async channelOf(sourceId: string): Promise<Channel | undefined> {
    const { channels, ensureCurrent } = this.#options;
    const known = channels.find(sourceId);
    if (known !== undefined) return known;
    await ensureCurrent();
    return channels.find(sourceId);
  }

  /** The offset of the webhook's newest definition on `webhooks`; undefined: there is no such webhook now. */
  async webhookOffsetOf(webhookId: string): Promise<number | undefined> {
    await this.#options.ensureCurrent();
    return this.#options.webhooks.find(webhookId);
  }
}
