// Which runs are no runs of a source: those that check its code, and whose failure is told to the sender of the code.
import type { TriggerKind } from '../source/messages.ts';

/** Of a deploy or an update that is refused, the source says why by itself. */
export const isCheckOfCode = (kind: TriggerKind): boolean => kind === 'describe';
