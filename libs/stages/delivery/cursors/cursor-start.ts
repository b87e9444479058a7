// Where a cursor begins in this process.
import type { CursorPosition } from '../../../domain/delivery/cursor.ts';
import type { EventBuffer } from '../events/buffer.ts';

export interface CursorStart {
  readonly position: CursorPosition;
  /** See `SourceCursor.unreadFrom`. */
  readonly behindFrom: number | null;
  readonly buffer: EventBuffer;
}
