// Picks the outputs that an operator should hear of: what failed for good, with the ids to look it up by.
import type { TopicName } from '../../../domain/flow.ts';
import type { MessageOn } from '../../../domain/messages-of.ts';

interface Notable {
  readonly message: string;
  readonly details: object;
}

/** Undefined when nothing failed, and for an attempt that will be retried. */
export function notable({ type, data }: MessageOn<TopicName>): Notable | undefined {
  switch (type) {
    case 'RunFinished':
      // Only the error's text: the stack is in the run's record.
      return data.outcome === 'failed'
        ? {
            message: 'a run failed',
            details: { ...pick(data, ['sourceId', 'runId', 'kind']), error: data.error?.message },
          }
        : undefined;
    case 'DeliveryParked':
      return {
        message: 'a delivery is parked',
        details: pick(data, ['subscriptionId', 'webhookId', 'emitterId', 'eventId', 'attempts', 'reason']),
      };
    case 'AlertRaised':
      return { message: 'an alert was raised', details: pick(data, ['code', 'subject', 'message']) };
    case 'WebhookDisabled':
      return { message: 'a webhook is disabled', details: pick(data, ['webhookId', 'reason']) };
    default:
      return undefined;
  }
}

const pick = <D extends object>(data: D, names: readonly (keyof D & string)[]): object =>
  Object.fromEntries(names.map((name) => [name, data[name]]));
