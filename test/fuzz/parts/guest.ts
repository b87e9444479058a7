// The part that acts as a component: sends the host anything, through its API or through what it has patched.
import fc from 'fast-check';
import type { Part, Round } from '../part.ts';
import { FuzzFailure } from '../product-under-test.ts';
import { components } from './components.ts';
import { expectOnlyTyped, mail } from './mail.ts';
import { SharedProduct } from './shared-product.ts';

/** Much longer than the limits of a component's run. */
const answerMaxMs = 60_000;
const mailPerComponent = 200;
/** Components tried at the same time: each mostly waits, for a compiler, an isolate or its own timers. */
const componentsPerCase = 8;
/** So that a component that waits forever does not delay the others by a minute. */
const timeoutMs = 2_000;

interface DrawnComponent {
  readonly code: string;
  readonly mail: readonly (readonly unknown[])[];
}

export class Guest implements Part {
  readonly name = 'guest';
  readonly casesPerRound = 20;
  readonly tried = { of: 'components', count: 0 };
  readonly #sharedProduct = new SharedProduct();

  async begin(): Promise<Round> {
    const one = fc.record({ code: components, mail: fc.array(mail, { maxLength: mailPerComponent }) });
    const drawn = fc.array(one, { minLength: 1, maxLength: componentsPerCase, size: 'max' });
    return {
      property: fc.asyncProperty(drawn as fc.Arbitrary<unknown>, (all) => this.#try(all as readonly DrawnComponent[])),
      settle: () => this.#sharedProduct.expectHealthyAfterKill(),
    };
  }

  close(): Promise<void> {
    return this.#sharedProduct.discard();
  }

  async #try(drawn: readonly DrawnComponent[]): Promise<void> {
    for (const { mail: messages } of drawn) for (const message of messages) expectOnlyTyped(message);
    const { product, apiKey, endpoint } = await this.#sharedProduct.getOrStart();
    const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
    const ask = (url: string, init: RequestInit): Promise<Response> =>
      fetch(url, { ...init, headers, signal: AbortSignal.timeout(answerMaxMs) });
    const api = `${product.baseUrl}/v1/sources`;
    try {
      await waitForAll(drawn.map(({ code }) => this.#deploy(code, (path, init) => ask(`${api}${path}`, init ?? {}))));
      const neighbour = await ask(endpoint, { method: 'POST', body: '{}' });
      if (neighbour.status !== 200) throw new FuzzFailure(`a neighbour is answered ${neighbour.status}`);
    } catch (error) {
      throw await this.#sharedProduct.discardFailed(error);
    }
    await this.#sharedProduct.expectHealthy();
  }

  async #deploy(component_code: string, ask: Ask): Promise<void> {
    this.tried.count++;
    const deployed = await ask('', { method: 'POST', body: JSON.stringify({ component_code, timeout_ms: timeoutMs }) });
    if (deployed.status >= 500) throw new FuzzFailure(`deploying answers ${deployed.status}`, await deployed.text());
    const { data } = (await deployed.json()) as { data?: Deployed };
    if (data !== undefined) await this.#exercise(data, (path, init) => ask(`/${path}`, init));
  }

  /** Its answer can be anything, but the API must show it correctly. */
  async #exercise({ id, configured_props: props }: Deployed, ask: Ask): Promise<void> {
    const url = props?.http?.endpoint_url;
    if (url !== undefined) await fetch(url, { method: 'POST', body: '{}', signal: AbortSignal.timeout(answerMaxMs) });
    for (const path of [id, `${id}/runs`, `${id}/event_summaries?expand=event`]) {
      const { status } = await ask(path);
      if (status >= 500) throw new FuzzFailure(`GET /v1/sources/${path.replace(id, '{id}')} answers ${status}`);
    }
    await ask(id, { method: 'DELETE' });
  }
}

/** Waits for all, so that none is still running when the next case begins; throws the first failure. */
async function waitForAll(work: readonly Promise<void>[]): Promise<void> {
  const failed = (await Promise.allSettled(work)).find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') throw failed.reason;
}

type Ask = (path: string, init?: RequestInit) => Promise<Response>;

interface Deployed {
  readonly id: string;
  readonly configured_props?: { readonly http?: { readonly endpoint_url?: string } };
}
