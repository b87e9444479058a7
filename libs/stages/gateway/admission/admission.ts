// Admits a request whose sender is known: it waits for its turn to begin, and claims memory for its body.
import type { IncomingMessage } from 'node:http';
import { BodyBudget, expectedBytes } from '../http/bodies/body-budget.ts';
import type { BudgetOwner } from '../http/limits/byte-budget.ts';
import { RequestTurns } from './request-turns.ts';

/** Owner of the requests of unknown senders: they take turns as if all came from one additional workspace. */
const anonymousWorkspace = '';

export class Admission {
  readonly #turns = new RequestTurns();
  readonly #bodyBudget = new BodyBudget();

  /** How many requests wait for their turn. */
  get waitingCount(): number {
    return this.#turns.waitingCount;
  }

  /** Bytes claimed for the bodies that are being received. */
  get bodyBytes(): number {
    return this.#bodyBudget.claimedBytes;
  }

  /** Returns the sender from `find`. A refusal waits for its turn, too: a thousand at once would delay all others. */
  async identifySender<Sender>(message: IncomingMessage, find: () => Sender | Promise<Sender>): Promise<Sender> {
    try {
      return await find();
    } catch (refusal) {
      await this.waitForAnonymousTurn(message, 'refused');
      throw refusal;
    }
  }

  /**
   * For requests that need no key, or that are rejected since their key, endpoint or path is unknown. Resolves when the
   * answer can be sent; never, if its client leaves before. Pages of the console do not queue after a flood of others.
   */
  waitForAnonymousTurn(message: IncomingMessage, trafficClass: 'console' | 'refused'): Promise<void> {
    return this.#turns.waitForTurn(message, { workspace: anonymousWorkspace, trafficClass });
  }

  /** Resolves when the body can be read; never, if the client leaves. Throws ApiProblem 429, or 503 after `close`. */
  async admit(message: IncomingMessage, owner: BudgetOwner, bodyBytesMax: number): Promise<void> {
    await this.#turns.waitForTurn(message, owner);
    this.#bodyBudget.claim(message, owner, expectedBytes(message, bodyBytesMax));
  }

  /** Called when the service stops: rejects all requests that have not begun. */
  close(): void {
    this.#turns.close();
  }

  /** Frees what the request's body has claimed: the body is no longer in memory, or is counted elsewhere. */
  release(message: IncomingMessage): void {
    this.#bodyBudget.release(message);
  }
}
