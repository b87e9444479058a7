// The messages of refused commands about listeners, for their senders.
import type { ListenerRefusal } from './messages.ts';

export interface Refusal {
  readonly reason: ListenerRefusal;
  readonly message: string;
  readonly existingId?: string;
}

export const webhookNotFound = (webhookId: string): string =>
  `There is no webhook ${webhookId} in this workspace. Check the id, or create the webhook first.`;

export const sourceNotFound = (emitterId: string): string =>
  `Nothing in this workspace has the id ${emitterId}. Check it, deploy the source first, or subscribe to dc_*.`;

export const listenerNotFound = (sourceId: string): string =>
  `There is no source ${sourceId} in this workspace that could listen. Check the id, or deploy the source first.`;

export const webhookDisabled = (webhookId: string): string =>
  `Webhook ${webhookId} is disabled, because its receiver answered that it is gone (410). Make it active again, or create a new webhook.`;

export const signatureChanged = (webhookId: string): string =>
  `Webhook ${webhookId} has been changed to sign in another way since this request began. Send it again.`;

export const webhookChanged = (webhookId: string): string =>
  `Webhook ${webhookId} has changed since the attempt that was answered 410 began.`;
