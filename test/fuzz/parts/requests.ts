// The part that acts as a caller: any request must get an answer that is not a failure of the service itself.
import fc from 'fast-check';
import { Broken } from '../house.ts';
import type { Part, Round } from '../part.ts';
import { requests } from './operations.ts';
import type { OpenApi } from './operations.ts';
import { ask } from './raw-request.ts';
import type { RawRequest } from './raw-request.ts';
import { Settled } from './settled.ts';

export class Requests implements Part {
  readonly name = 'requests';
  readonly casesPerRound = 200;
  readonly tried = { of: 'requests', count: 0 };
  readonly #settled = new Settled();

  async begin(): Promise<Round> {
    const { product, apiKey, known } = await this.#settled.there();
    const document = (await (await fetch(`${product.baseUrl}/openapi.json`)).json()) as OpenApi;
    const drawn = requests(document, { apiKey, baseUrl: product.baseUrl, known });
    return {
      property: fc.asyncProperty(drawn as fc.Arbitrary<unknown>, (request) => this.#try(request as RawRequest)),
      settle: () => this.#settled.expectWellAfterKill(),
    };
  }

  close(): Promise<void> {
    return this.#settled.leave();
  }

  async #try(request: RawRequest): Promise<void> {
    this.tried.count++;
    const { product } = await this.#settled.there();
    const status = await ask(product.port, { ...request, headers: request.headers.map(withHost(product.port)) });
    const what = `${request.method} ${request.target.slice(0, 100)}`;
    if (status === undefined) throw await this.#settled.broken(new Broken('a request gets no answer', what));
    if (status >= 500)
      throw new Broken(
        `${request.method} ${request.target.split('?')[0]?.split('/').slice(0, 3).join('/')} answers ${status}`,
        what,
      );
    await this.#settled.expectWell();
  }
}

/** With the host of a restarted product. */
const withHost =
  (port: number) =>
  ([name, value]: readonly [string, string]): readonly [string, string] =>
    name === 'host' && value.startsWith('127.0.0.1:') ? [name, `127.0.0.1:${port}`] : [name, value];
