// The facts besides the listeners' own state that a decision about them depends on.
import type { Millis } from '../message.ts';

export interface ListenerContext {
  readonly at: Millis;
  /** Whether the command's workspace has this source, and it can be subscribed to or, with `as`, be a listener. */
  sourceExists(sourceId: string, as?: 'listener'): boolean;
  /** Whether this is the command's workspace, or a user of it. */
  isOwner(ownerId: string): boolean;
  /** By partition of `channels`, the offset at which a new subscription begins. */
  readonly channelEnds: readonly number[];
}
