// A deploy that is asked for until it is answered, and made once.
import type { Client, DeployRequest, NewSource } from '../../../libs/client/index.ts';
import { isPassing, repeating } from '../failures/repeating.ts';

export class DeployOnce {
  readonly #client: Pick<Client, 'deploySource'>;
  /** What was asked for last and not answered, and by which key. */
  #open: { readonly request: string; readonly idempotencyKey: string } | undefined;

  constructor(client: Pick<Client, 'deploySource'>) {
    this.#client = client;
  }

  /** Asked for again after an answer that got lost, the same request is the same deploy. */
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
