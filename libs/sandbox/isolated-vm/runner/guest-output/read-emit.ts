// Reads one emit that a guest has sent.
import type { Json } from '../../../../domain/json.ts';
import type { Emit } from '../../../sandbox.ts';
import { channelUnitsMax } from '../../wire.ts';
import { readObject } from './json.ts';

/** Undefined when the text is not an emit: the guest's own code never sends that, so somebody has tampered with it. */
export function readEmit(text: string): Emit | undefined {
  const { channel, id, summary, ts, deliveryTs, event } = readObject(text);
  if (typeof channel !== 'string' || event === undefined) return undefined;
  if (channel.startsWith('$') || channel.length > channelUnitsMax) return undefined;
  return {
    event: event as Json,
    channel,
    ...(typeof id === 'string' || typeof id === 'number' ? { id } : {}),
    ...(typeof summary === 'string' ? { summary } : {}),
    ...(typeof ts === 'number' ? { ts } : {}),
    ...(typeof deliveryTs === 'number' ? { deliveryTs } : {}),
  };
}
