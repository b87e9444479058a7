// Passes requests of components to data stores on to the product's process, which answers each of them.
import type { FromRunner, StoreAnsweredOrder } from '../../runner-protocol.ts';
import { readObject } from '../guest-output/json.ts';

/** Enough for a value of the largest size with all of its escapes. */
const questionUnitsMax = 1024 * 1024;

const tooLargeAnswer = JSON.stringify({ refused: 'invalid', message: 'The request to the data store is too large' });

export class StoreClient {
  readonly #send: (message: FromRunner) => void;
  /** By the number `ask`; limited by the number of requests that a guest can have open. */
  readonly #pending = new Map<number, (answer: string) => void>();
  #lastAsk = 0;

  constructor(send: (message: FromRunner) => void) {
    this.#send = send;
  }

  /** `id`: the invocation's. `text`: the guest's JSON; returns the answer for any text, also for an invalid one. */
  async ask(id: number, text: string): Promise<string> {
    if (text.length > questionUnitsMax) return tooLargeAnswer;
    const question = JSON.stringify(readObject(text));
    const { promise, resolve } = Promise.withResolvers<string>();
    const ask = ++this.#lastAsk;
    this.#pending.set(ask, resolve);
    this.#send({ type: 'ask_store', id, ask, question });
    return promise;
  }

  handleAnswer({ ask, answer }: StoreAnsweredOrder): void {
    this.#pending.get(ask)?.(answer);
    this.#pending.delete(ask);
  }
}
