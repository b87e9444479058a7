// Reads one emit of a guest.
import type { Json } from '../../../../domain/json.ts';
import type { Emit } from '../../../sandbox.ts';
import { channelUnitsMax } from '../../wire.ts';
import { readObject } from './json.ts';

/** Undefined if the text is not an emit, which the guest's own code never sends, so it was tampered with. */
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
