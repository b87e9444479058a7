// Sends requests through the pools: follows redirects hop by hop, each checked by the guard, within every bound.
import type { OriginPools } from '../pools.ts';
import { Answer } from './answer.ts';
import { Exchange } from './exchange.ts';
import type { RequestContext, RequestBounds } from './exchange.ts';
import { RequestFailure } from './request-failure.ts';
import { refusalOf } from './outgoing-request.ts';
import type { OutgoingRequest } from './outgoing-request.ts';

export class Requester {
  readonly #pools: OriginPools;
  readonly #bounds: RequestBounds;

  constructor(pools: OriginPools, bounds: RequestBounds) {
    this.#pools = pools;
    this.#bounds = bounds;
  }

  /** Rejects with a RequestFailure, or with the reason of the context's signal or count. */
  async send(request: OutgoingRequest, context: RequestContext): Promise<Answer> {
    const refusal = refusalOf(request);
    if (refusal !== undefined) throw new RequestFailure('ERR_INVALID_REQUEST', refusal);
    const exchange = new Exchange(request, this.#bounds, context);
    try {
      for (;;) {
        const response = await exchange.send(this.#pools);
        const next = exchange.next(response);
        if (next === undefined) return await Answer.begin(exchange, response);
        response.body.on('error', () => {}).destroy();
      }
    } catch (error) {
      throw exchange.finish(error);
    }
  }
}
