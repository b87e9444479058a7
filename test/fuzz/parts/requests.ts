// The part that acts as a caller: any request must get an answer that is not a failure of the service itself.
import fc from 'fast-check';
import { FuzzFailure } from '../product-under-test.ts';
import type { Part, Round } from '../part.ts';
import { drawRequests } from './operations.ts';
import type { OpenApi } from './operations.ts';
import { sendRaw } from './raw-request.ts';
import type { RawRequest } from './raw-request.ts';
import { SharedProduct } from './shared-product.ts';

export class Requests implements Part {
  readonly name = 'requests';
  readonly casesPerRound = 200;
  readonly tried = { of: 'requests', count: 0 };
  readonly #sharedProduct = new SharedProduct();

  async begin(): Promise<Round> {
    const { product, apiKey, known } = await this.#sharedProduct.getOrStart();
    const document = (await (await fetch(`${product.baseUrl}/openapi.json`)).json()) as OpenApi;
    const drawn = drawRequests(document, { apiKey, baseUrl: product.baseUrl, known });
    return {
      property: fc.asyncProperty(drawn as fc.Arbitrary<unknown>, (request) => this.#try(request as RawRequest)),
      settle: () => this.#sharedProduct.expectHealthyAfterKill(),
    };
  }

  close(): Promise<void> {
    return this.#sharedProduct.discard();
  }

  async #try(request: RawRequest): Promise<void> {
    this.tried.count++;
    const { product } = await this.#sharedProduct.getOrStart();
    const status = await sendRaw(product.port, { ...request, headers: request.headers.map(withHost(product.port)) });
    const what = `${request.method} ${request.target.slice(0, 100)}`;
    if (status === undefined)
      throw await this.#sharedProduct.discardFailed(new FuzzFailure('a request gets no answer', what));
    if (status >= 500)
      throw new FuzzFailure(
        `${request.method} ${request.target.split('?')[0]?.split('/').slice(0, 3).join('/')} answers ${status}`,
        what,
      );
    await this.#sharedProduct.expectHealthy();
  }
}

/** With the host of a restarted product. */
const withHost =
  (port: number) =>
  ([name, value]: readonly [string, string]): readonly [string, string] =>
    name === 'host' && value.startsWith('127.0.0.1:') ? [name, `127.0.0.1:${port}`] : [name, value];
