// Lets a request in whose sender is known: it waits for its turn to begin, and claims room for its body.
import type { IncomingMessage } from 'node:http';
import { BodyRoom, expectedBytes } from '../http/bodies/body-room.ts';
import type { RoomOwner } from '../http/limits/byte-room.ts';
import { RequestTurns } from './request-turns.ts';

/** Who sends them is not known: they take turns as if they all came from one further workspace. */
const strangers = '';

export class Admission {
  readonly #turns = new RequestTurns();
  readonly #room = new BodyRoom();

  /** How many requests wait for their turn. */
  get waiting(): number {
    return this.#turns.waiting;
  }

  /** Of bodies that are being received. */
  get bodyBytes(): number {
    return this.#room.takenBytes;
  }

  /** The sender that `find` gives. A refusal waits for its turn, too: a thousand at once would hold everybody else up. */
  async recognise<Sender>(message: IncomingMessage, find: () => Sender | Promise<Sender>): Promise<Sender> {
    try {
      return await find();
    } catch (refusal) {
      await this.strangersTurn(message, 'refused');
      throw refusal;
    }
  }

  /**
   * For what needs no key, and what is refused since its key, endpoint or path is unknown. Resolves when it may be
   * answered; never, if its client leaves before. Pages of the console do not wait behind a flood of the others.
   */
  strangersTurn(message: IncomingMessage, door: 'console' | 'refused'): Promise<void> {
    return this.#turns.take(message, { workspace: strangers, door });
  }

  /** Resolves when the body may be read; never, if the client leaves before. Throws ApiProblem 429, or 503 once it is closed. */
  async admit(message: IncomingMessage, owner: RoomOwner, bodyBytesMax: number): Promise<void> {
    await this.#turns.take(message, owner);
    this.#room.claim(message, owner, expectedBytes(message, bodyBytesMax));
  }

  /** When the service stops: refuses what has not begun. */
  close(): void {
    this.#turns.close();
  }

  /** Its body is held no longer, or is counted elsewhere. */
  release(message: IncomingMessage): void {
    this.#room.release(message);
  }
}
