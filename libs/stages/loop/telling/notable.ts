// Which outputs an operator should hear of: what failed for good, with the ids to look it up by.
import type { LogRecord } from '../../../domain/message.ts';

interface Notable {
  readonly message: string;
  readonly details: object;
}

/** Undefined for what is as it should be; an attempt that will be repeated is. */
export function notable(record: LogRecord): Notable | undefined {
  const data = record.data as Record<string, unknown>;
  switch (record.type) {
    case 'RunFinished':
      return data['outcome'] === 'failed'
        ? { message: 'a run failed', details: pick(data, ['sourceId', 'runId', 'kind', 'error']) }
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

/** Of an error only its text: the stack is in the run's record. */
function pick(data: Readonly<Record<string, unknown>>, names: readonly string[]): object {
  return Object.fromEntries(
    names.map((name) => [
      name,
      name === 'error' ? (data[name] as { message?: string } | undefined)?.message : data[name],
    ]),
  );
}
