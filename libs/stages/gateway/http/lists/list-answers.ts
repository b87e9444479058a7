// Bounds the memory of pages of lists, while they are read and written and until their clients have received them.
import type { IncomingMessage } from 'node:http';
import { tooManyRequests } from '../api-problem.ts';
import { ByteBudget } from '../limits/byte-budget.ts';
import { FairTurns, type YieldTurn } from '../limits/fair-turns.ts';
import { serialiseList, type List, type SerialisedList } from './list-bytes.ts';

/** Bytes of pages that are being sent: one workspace can have a third of them, so that others always find room. */
export const unsentBytesMax = 64 * 1024 * 1024;
/**
 * Smaller pages are counted separately, so that large pages that a client does not read cannot take their room.
 */
const largeBytes = 256 * 1024;

const tooManyLists = (): Error => tooManyRequests('Too many lists wait for their turn.');

/** A page that is being read can take some 30 MiB; one that waits takes next to nothing. */
export const listTurns = { atOnce: 8, perOwnerAtOnce: 4, perOwnerMax: 500, totalMax: 5_000, full: tooManyLists };
/** A request whose turn comes later than this is answered 429. */
const waitMsMax = 10_000;

export class ListAnswers {
  readonly #turns = new FairTurns(listTurns);
  readonly #unsentBudget: ByteBudget;

  constructor(bytes = unsentBytesMax) {
    this.#unsentBudget = new ByteBudget(bytes, 'Too many pages are being sent: read those that you have asked for.');
  }

  get unsentBytes(): number {
    return this.#unsentBudget.claimedBytes;
  }

  /**
   * Makes the page in its turn and writes it as JSON and claims room until `release`. One that waits uses `yieldTurn`,
   * which lends its turn to others meanwhile. Throws ApiProblem 429.
   */
  async write(
    message: IncomingMessage,
    workspace: string,
    readPage: (yieldTurn: YieldTurn) => Promise<List>,
  ): Promise<SerialisedList> {
    const requestedAt = performance.now();
    return this.#turns.run(workspace, async (yieldTurn) => {
      if (performance.now() - requestedAt > waitMsMax) throw tooManyLists();
      // A client that is gone by now needs no answer.
      const serialised = await serialiseList(message.socket.destroyed ? { data: [] } : await readPage(yieldTurn));
      const { length } = serialised.bytes;
      this.#unsentBudget.claim(message, { workspace, trafficClass: length < largeBytes ? 'small' : 'large' }, length);
      return serialised;
    });
  }

  /** Frees what the answer has claimed, if anything; the end of the connection does the same. */
  release(message: IncomingMessage): void {
    this.#unsentBudget.release(message);
  }
}
