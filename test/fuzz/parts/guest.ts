// The part that plays a component: whatever it says to the host, by what it may use or by what it has patched.
import fc from 'fast-check';
import type { Part, Round } from '../part.ts';
import { Broken } from '../house.ts';
import { components } from './components.ts';
import { expectOnlyTyped, mail } from './mail.ts';
import { Settled } from './settled.ts';

/** A component's own limits end it long before. */
const answerMaxMs = 60_000;
const mailPerCase = 200;

interface Case {
  readonly code: string;
  readonly mail: readonly (readonly unknown[])[];
}

export class Guest implements Part {
  readonly name = 'guest';
  readonly casesPerRound = 20;
  readonly #settled = new Settled();

  async begin(): Promise<Round> {
    const drawn = fc.record({ code: components, mail: fc.array(mail, { maxLength: mailPerCase }) });
    return {
      property: fc.asyncProperty(drawn as fc.Arbitrary<unknown>, (drawnCase) => this.#try(drawnCase as Case)),
      settle: () => this.#settled.expectWellAfterKill(),
    };
  }

  close(): Promise<void> {
    return this.#settled.leave();
  }

  async #try({ code, mail: messages }: Case): Promise<void> {
    for (const message of messages) expectOnlyTyped(message);
    const { product, apiKey, endpoint } = await this.#settled.there();
    const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
    const ask = (url: string, init: RequestInit): Promise<Response> =>
      fetch(url, { ...init, headers, signal: AbortSignal.timeout(answerMaxMs) });
    const api = `${product.baseUrl}/v1/sources`;
    try {
      const deployed = await ask(api, { method: 'POST', body: JSON.stringify({ component_code: code }) });
      if (deployed.status >= 500) throw new Broken(`deploying answers ${deployed.status}`, await deployed.text());
      const { data } = (await deployed.json()) as { data?: Deployed };
      if (data !== undefined) await this.#use(data, (path, init) => ask(`${api}/${path}`, init ?? {}));
      const neighbour = await ask(endpoint, { method: 'POST', body: '{}' });
      if (neighbour.status !== 200) throw new Broken(`a neighbour is answered ${neighbour.status}`);
    } catch (error) {
      throw await this.#settled.broken(error);
    }
    await this.#settled.expectWell();
  }

  /** Its own answer may be anything; what the API shows of it may not. */
  async #use({ id, configured_props: props }: Deployed, ask: Ask): Promise<void> {
    const url = props?.http?.endpoint_url;
    if (url !== undefined) await fetch(url, { method: 'POST', body: '{}', signal: AbortSignal.timeout(answerMaxMs) });
    for (const path of [id, `${id}/runs`, `${id}/event_summaries?expand=event`]) {
      const { status } = await ask(path);
      if (status >= 500) throw new Broken(`GET /v1/sources/${path.replace(id, '{id}')} answers ${status}`);
    }
    await ask(id, { method: 'DELETE' });
  }
}

type Ask = (path: string, init?: RequestInit) => Promise<Response>;

interface Deployed {
  readonly id: string;
  readonly configured_props?: { readonly http?: { readonly endpoint_url?: string } };
}
