// Repeats a deploy until it is answered, and makes sure that it happens once.
import type { Client, DeployRequest, NewSource } from '../../../libs/client/index.ts';
import { isPassing, repeating } from '../failures/repeating.ts';

export class DeployOnce {
  readonly #client: Pick<Client, 'deploySource'>;
  /** The last request without an answer, and its idempotency key. */
  #open: { readonly request: string; readonly idempotencyKey: string } | undefined;

  constructor(client: Pick<Client, 'deploySource'>) {
    this.#client = client;
  }

  /** Sends the same request again after a lost answer with the same key, so that it is the same deploy. */
  async deploy(request: DeployRequest): Promise<NewSource> {
    const text = JSON.stringify(request);
    if (this.#open?.request !== text) this.#open = { request: text, idempotencyKey: crypto.randomUUID() };
    const { idempotencyKey } = this.#open;
    try {
      return await repeating(() => this.#client.deploySource(request, { idempotencyKey }));
    } catch (error) {
      if (!isPassing(error)) this.#open = undefined;
      throw error;
    }
  }
}
