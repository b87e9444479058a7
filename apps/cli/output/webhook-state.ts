// Whether a webhook gets events, as lists and details show it.
import type { Webhook } from '../../../libs/client/index.ts';

/** `paused`: by its owner. `disabled`: its receiver answered 410. */
export const webhookState = ({ active, disabled_reason: reason }: Webhook): 'active' | 'paused' | 'disabled' =>
  active ? 'active' : reason === null ? 'paused' : 'disabled';
