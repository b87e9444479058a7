// Repeats a deploy until it is answered, and makes sure that it happens once.
import type { Client, DeployRequest, NewSource } from '../../../libs/client/index.ts';
import { isTransient, withRetries } from '../failures/retry.ts';

export class DeployOnce {
  readonly #client: Pick<Client, 'deploySource'>;
  /** The last request without an answer, and its idempotency key. */
  #pending: { readonly request: string; readonly idempotencyKey: string } | undefined;

  constructor(client: Pick<Client, 'deploySource'>) {
    this.#client = client;
  }

  /** Sends the same request again after a lost answer with the same key, so that it is the same deploy. */
  async deploy(request: DeployRequest): Promise<NewSource> {
    const text = JSON.stringify(request);
    if (this.#pending?.request !== text) this.#pending = { request: text, idempotencyKey: crypto.randomUUID() };
    const { idempotencyKey } = this.#pending;
    try {
      return await withRetries(() => this.#client.deploySource(request, { idempotencyKey }));
    } catch (error) {
      if (!isTransient(error)) this.#pending = undefined;
      throw error;
    }
  }
}
