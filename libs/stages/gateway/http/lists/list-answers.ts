// Bounds the memory of pages of lists, while they are read and written and until their clients have received them.
import type { IncomingMessage } from 'node:http';
import { tooMany } from '../api-problem.ts';
import { ByteRoom } from '../limits/byte-room.ts';
import { FairTurns, type Away } from '../limits/fair-turns.ts';
import { writtenList, type List, type WrittenList } from './list-bytes.ts';

/** Bytes of pages that are being sent: one workspace can have a third of them, so that others always find room. */
export const unsentBytesMax = 64 * 1024 * 1024;
/**
 * Smaller pages are counted separately, so that large pages that a client does not read cannot take their room.
 */
const largeBytes = 256 * 1024;

const full = (): Error => tooMany('Too many lists wait for their turn.');

/** A page that is being read can take some 30 MiB; one that waits takes next to nothing. */
export const listTurns = { atOnce: 8, ofOwnerAtOnce: 4, ofOwnerMax: 500, allMax: 5_000, full };
/** A request whose turn comes later than this is answered 429. */
const waitMsMax = 10_000;

export class ListAnswers {
  readonly #turns = new FairTurns(listTurns);
  readonly #unsent: ByteRoom;

  constructor(bytes = unsentBytesMax) {
    this.#unsent = new ByteRoom(bytes, 'Too many pages are being sent: read those that you have asked for.');
  }

  get unsentBytes(): number {
    return this.#unsent.takenBytes;
  }

  /**
   * Makes the page in its turn and writes it as JSON, which claims room until `sent`. A page that waits uses `away`,
   * which lends its turn to others meanwhile. Throws ApiProblem 429.
   */
  async write(message: IncomingMessage, workspace: string, page: (away: Away) => Promise<List>): Promise<WrittenList> {
    const asked = performance.now();
    return this.#turns.take(workspace, async (away) => {
      if (performance.now() - asked > waitMsMax) throw full();
      // A client that is gone by now needs no answer.
      const written = await writtenList(message.socket.destroyed ? { data: [] } : await page(away));
      const { length } = written.bytes;
      this.#unsent.claim(message, { workspace, door: length < largeBytes ? 'small' : 'large' }, length);
      return written;
    });
  }

  /** Frees what the answer has claimed, if anything; the end of the connection does the same. */
  sent(message: IncomingMessage): void {
    this.#unsent.release(message);
  }
}
