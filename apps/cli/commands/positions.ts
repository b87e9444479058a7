// Parses the options that say where in a source's events something begins or ends.
import type { ReplayPosition } from '../../../libs/client/index.ts';
import { timeOf } from './times.ts';

/** Undefined: the text is not a position. */
export function parsePosition(text: string): ReplayPosition | undefined {
  if (text === 'earliest' || text === 'now') return text;
  if (/^\d{13,}-\d+$/.test(text)) return { event_id: text };
  if (/^#\d{1,15}$/.test(text)) return { sequence: Number(text.slice(1)) };
  try {
    return { time: timeOf(text) };
  } catch {
    return undefined;
  }
}
