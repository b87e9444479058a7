// Passes requests of components to data stores on to the product's process, which answers each of them.
import type { FromRunner, StoreAnsweredOrder } from '../../runner-protocol.ts';
import { readObject } from '../guest-output/json.ts';

/** Enough for a value of the largest size with all of its escapes. */
const questionUnitsMax = 1024 * 1024;

const refusal = JSON.stringify({ refused: 'invalid', message: 'The request to the data store is too large' });

export class StoreDoor {
  readonly #send: (message: FromRunner) => void;
  /** By the number `ask`; limited by the number of requests that a guest can have open. */
  readonly #waiting = new Map<number, (answer: string) => void>();
  #last = 0;

  constructor(send: (message: FromRunner) => void) {
    this.#send = send;
  }

  /** `id`: the invocation's. `text`: the guest's JSON; returns the answer for any text, also for an invalid one. */
  async ask(id: number, text: string): Promise<string> {
    if (text.length > questionUnitsMax) return refusal;
    const question = JSON.stringify(readObject(text));
    const { promise, resolve } = Promise.withResolvers<string>();
    const ask = ++this.#last;
    this.#waiting.set(ask, resolve);
    this.#send({ type: 'ask_store', id, ask, question });
    return promise;
  }

  answered({ ask, answer }: StoreAnsweredOrder): void {
    this.#waiting.get(ask)?.(answer);
    this.#waiting.delete(ask);
  }
}
