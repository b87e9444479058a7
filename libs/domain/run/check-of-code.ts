// Runs that only check code: a failure is reported to the sender of the code, and is no failure of the source.
import type { TriggerKind } from '../source/messages.ts';

/** When a deploy or an update is refused for its code, the source shows why as its `refusal`. */
export const isCheckOfCode = (kind: TriggerKind): boolean => kind === 'describe';
