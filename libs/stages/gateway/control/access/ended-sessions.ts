// Remembers sessions that were ended early, each until it would have expired anyway.
import type { FollowedTopic } from '../../../../domain/flow.ts';
import type { Millis } from '../../../../domain/message.ts';
import type { RecordOn } from '../../../../domain/messages-of.ts';
import type { Follower } from '../control-tail.ts';

/** If a workspace ends more within their 12 hours, all its sessions issued until then count as ended. */
const endedMax = 1_000;

/** If pruning leaves more than this, all sessions count as ended: otherwise it would soon run with each record. */
const prunedMax = (endedMax * 3) / 4;

interface WorkspaceSessions {
  /** The time at which each session expires, by its id. */
  readonly ids: Map<string, Millis>;
  /** All sessions issued up to this time have ended. */
  upTo: Millis;
}

export class EndedSessions implements Follower {
  readonly #now: () => Millis;
  readonly #byWorkspace = new Map<string, WorkspaceSessions>();

  constructor(now: () => Millis) {
    this.#now = now;
  }

  accept(record: RecordOn<FollowedTopic>): void {
    if (record.type !== 'SessionEnded') return;
    const { sessionId, expiresAt } = record.data;
    if (expiresAt <= this.#now()) return;
    const sessions = this.#byWorkspace.get(record.workspace) ?? { ids: new Map<string, Millis>(), upTo: 0 };
    this.#byWorkspace.set(record.workspace, sessions);
    sessions.ids.set(sessionId, expiresAt);
    if (sessions.ids.size > endedMax) this.#prune(sessions, record.at);
  }

  has(workspace: string, { id, issuedAt }: { readonly id: string; readonly issuedAt: Millis }): boolean {
    const sessions = this.#byWorkspace.get(workspace);
    return sessions !== undefined && (issuedAt <= sessions.upTo || sessions.ids.has(id));
  }

  #prune(sessions: WorkspaceSessions, at: Millis): void {
    const now = this.#now();
    for (const [id, expiresAt] of sessions.ids) if (expiresAt <= now) sessions.ids.delete(id);
    if (sessions.ids.size <= prunedMax) return;
    sessions.ids.clear();
    sessions.upTo = Math.max(sessions.upTo, at);
  }
}
