// Admits a request whose sender is known: it waits for its turn to begin, and claims memory for its body.
import type { IncomingMessage } from 'node:http';
import { BodyRoom, expectedBytes } from '../http/bodies/body-room.ts';
import type { RoomOwner } from '../http/limits/byte-room.ts';
import { RequestTurns } from './request-turns.ts';

/** Owner of the requests of unknown senders: they take turns as if all came from one additional workspace. */
const strangers = '';

export class Admission {
  readonly #turns = new RequestTurns();
  readonly #room = new BodyRoom();

  /** How many requests wait for their turn. */
  get waiting(): number {
    return this.#turns.waiting;
  }

  /** Bytes claimed for the bodies that are being received. */
  get bodyBytes(): number {
    return this.#room.takenBytes;
  }

  /** Returns the sender from `find`. A refusal waits for its turn, too: a thousand at once would delay all others. */
  async recognise<Sender>(message: IncomingMessage, find: () => Sender | Promise<Sender>): Promise<Sender> {
    try {
      return await find();
    } catch (refusal) {
      await this.strangersTurn(message, 'refused');
      throw refusal;
    }
  }

  /**
   * For requests that need no key, or that are rejected since their key, endpoint or path is unknown. Resolves when the
   * answer can be sent; never, if its client leaves before. Pages of the console do not queue after a flood of others.
   */
  strangersTurn(message: IncomingMessage, door: 'console' | 'refused'): Promise<void> {
    return this.#turns.take(message, { workspace: strangers, door });
  }

  /** Resolves when the body can be read; never, if the client leaves. Throws ApiProblem 429, or 503 after `close`. */
  async admit(message: IncomingMessage, owner: RoomOwner, bodyBytesMax: number): Promise<void> {
    await this.#turns.take(message, owner);
    this.#room.claim(message, owner, expectedBytes(message, bodyBytesMax));
  }

  /** Called when the service stops: rejects all requests that have not begun. */
  close(): void {
    this.#turns.close();
  }

  /** Frees what the request's body has claimed: the body is no longer in memory, or is counted elsewhere. */
  release(message: IncomingMessage): void {
    this.#room.release(message);
  }
}
