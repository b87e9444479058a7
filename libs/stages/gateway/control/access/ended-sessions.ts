// Remembers sessions that were ended early, each until it would have expired anyway.
import type { FollowedTopic } from '../../../../domain/flow.ts';
import type { Millis } from '../../../../domain/message.ts';
import type { RecordOn } from '../../../../domain/messages-of.ts';
import type { Follower } from '../control-tail.ts';

/** If a workspace ends more within their 12 hours, all its sessions issued until then count as ended. */
const endedMax = 1_000;

/** If pruning leaves more than this, all sessions count as ended: otherwise it would soon run with each record. */
const prunedTo = (endedMax * 3) / 4;

interface Ended {
  /** The time at which each session expires, by its id. */
  readonly ids: Map<string, Millis>;
  /** All sessions issued up to this time have ended. */
  upTo: Millis;
}

export class EndedSessions implements Follower {
  readonly #now: () => Millis;
  readonly #ofWorkspace = new Map<string, Ended>();

  constructor(now: () => Millis) {
    this.#now = now;
  }

  accept(record: RecordOn<FollowedTopic>): void {
    if (record.type !== 'SessionEnded') return;
    const { sessionId, expiresAt } = record.data;
    if (expiresAt <= this.#now()) return;
    const ended = this.#ofWorkspace.get(record.workspace) ?? { ids: new Map<string, Millis>(), upTo: 0 };
    this.#ofWorkspace.set(record.workspace, ended);
    ended.ids.set(sessionId, expiresAt);
    if (ended.ids.size > endedMax) this.#shorten(ended, record.at);
  }

  has(workspace: string, { id, issuedAt }: { readonly id: string; readonly issuedAt: Millis }): boolean {
    const ended = this.#ofWorkspace.get(workspace);
    return ended !== undefined && (issuedAt <= ended.upTo || ended.ids.has(id));
  }

  #shorten(ended: Ended, at: Millis): void {
    const now = this.#now();
    for (const [id, expiresAt] of ended.ids) if (expiresAt <= now) ended.ids.delete(id);
    if (ended.ids.size <= prunedTo) return;
    ended.ids.clear();
    ended.upTo = Math.max(ended.upTo, at);
  }
}
