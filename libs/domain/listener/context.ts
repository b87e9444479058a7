// What a decision about listeners needs to know beyond their own state.
import type { Millis } from '../message.ts';

export interface ListenerContext {
  readonly at: Millis;
  /** Whether the command's workspace has this source, and it can be subscribed to, or listen. */
  sourceExists(sourceId: string, as?: 'listener'): boolean;
  /** Whether this is the command's workspace, or a user of it. */
  isOwner(ownerId: string): boolean;
  /** Where in each partition of `channels` a new subscription begins. */
  readonly channelEnds: readonly number[];
}
