// Tells runs that only check code: a failure is reported to the sender of the code and does not count as the source's.
import type { TriggerKind } from '../source/messages.ts';

/** If a deploy or an update is refused for its code, the source shows the reason as its `refusal`. */
export const isCodeCheck = (kind: TriggerKind): boolean => kind === 'describe';
