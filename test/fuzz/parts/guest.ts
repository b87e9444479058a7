// The part that acts as a component: sends the host anything, through its API or through what it has patched.
import fc from 'fast-check';
import type { Part, Round } from '../part.ts';
import { Broken } from '../house.ts';
import { components } from './components.ts';
import { expectOnlyTyped, mail } from './mail.ts';
import { Settled } from './settled.ts';

/** Much longer than the limits of a component's run. */
const answerMaxMs = 60_000;
const mailPerComponent = 200;
/** Components tried at the same time: each mostly waits, for a compiler, an isolate or its own timers. */
const componentsPerCase = 8;
/** So that a component that waits forever does not delay the others by a minute. */
const timeoutMs = 2_000;

interface Drawn {
  readonly code: string;
  readonly mail: readonly (readonly unknown[])[];
}

export class Guest implements Part {
  readonly name = 'guest';
  readonly casesPerRound = 20;
  readonly tried = { of: 'components', count: 0 };
  readonly #settled = new Settled();

  async begin(): Promise<Round> {
    const one = fc.record({ code: components, mail: fc.array(mail, { maxLength: mailPerComponent }) });
    const drawn = fc.array(one, { minLength: 1, maxLength: componentsPerCase, size: 'max' });
    return {
      property: fc.asyncProperty(drawn as fc.Arbitrary<unknown>, (all) => this.#try(all as readonly Drawn[])),
      settle: () => this.#settled.expectWellAfterKill(),
    };
  }

  close(): Promise<void> {
    return this.#settled.leave();
  }

  async #try(drawn: readonly Drawn[]): Promise<void> {
    for (const { mail: messages } of drawn) for (const message of messages) expectOnlyTyped(message);
    const { product, apiKey, endpoint } = await this.#settled.there();
    const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
    const ask = (url: string, init: RequestInit): Promise<Response> =>
      fetch(url, { ...init, headers, signal: AbortSignal.timeout(answerMaxMs) });
    const api = `${product.baseUrl}/v1/sources`;
    try {
      await all(drawn.map(({ code }) => this.#deploy(code, (path, init) => ask(`${api}${path}`, init ?? {}))));
      const neighbour = await ask(endpoint, { method: 'POST', body: '{}' });
      if (neighbour.status !== 200) throw new Broken(`a neighbour is answered ${neighbour.status}`);
    } catch (error) {
      throw await this.#settled.broken(error);
    }
    await this.#settled.expectWell();
  }

  async #deploy(component_code: string, ask: Ask): Promise<void> {
    this.tried.count++;
    const deployed = await ask('', { method: 'POST', body: JSON.stringify({ component_code, timeout_ms: timeoutMs }) });
    if (deployed.status >= 500) throw new Broken(`deploying answers ${deployed.status}`, await deployed.text());
    const { data } = (await deployed.json()) as { data?: Deployed };
    if (data !== undefined) await this.#use(data, (path, init) => ask(`/${path}`, init));
  }

  /** Its answer can be anything, but the API must show it correctly. */
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

/** Waits for all, so that none is still running when the next case begins; throws the first failure. */
async function all(work: readonly Promise<void>[]): Promise<void> {
  const failed = (await Promise.allSettled(work)).find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') throw failed.reason;
}

type Ask = (path: string, init?: RequestInit) => Promise<Response>;

interface Deployed {
  readonly id: string;
  readonly configured_props?: { readonly http?: { readonly endpoint_url?: string } };
}
