// Questions of components to data stores: passed to the service's process, which answers each of them.
import type { FromRunner, StoreAnsweredOrder } from '../../runner-protocol.ts';
import { readObject } from '../guest-output/json.ts';

/** A value of the largest size, with all that is escaped in it. */
const questionUnitsMax = 1024 * 1024;

const refusal = JSON.stringify({ refused: 'invalid', message: 'The request to the data store is too large' });

export class StoreDoor {
  readonly #send: (message: FromRunner) => void;
  /** By `ask`; never more than the guest may have requests open. */
  readonly #waiting = new Map<number, (answer: string) => void>();
  #last = 0;

  constructor(send: (message: FromRunner) => void) {
    this.#send = send;
  }

  /** `text`: JSON of a guest; `id`: of the invocation. Never rejects for what the text is. */
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
