// Whether a webhook gets events, and in which order, as lists and details show it.
import type { Webhook } from '../../../libs/client/index.ts';
import { plainLine } from './plain-text.ts';

/** `paused`: by its owner. `disabled`: its receiver answered 410. */
export const webhookState = ({ active, disabled_reason: reason }: Webhook): 'active' | 'paused' | 'disabled' =>
  active ? 'active' : reason === null ? 'paused' : 'disabled';

export const orderOf = ({ ordered, order_key: key }: Webhook): string =>
  !ordered ? 'any order' : key === null ? 'in order' : `in order by ${plainLine(key)}`;
