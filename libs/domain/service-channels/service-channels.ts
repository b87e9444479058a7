// The service's own channels, whose names begin with `$`, and what requests can do with each.
import { auditChannel } from './witness.ts';
import { pendingChannel } from '../pending/pending.ts';
import { errorsChannel } from '../run/errors-report.ts';
import { logsChannel } from '../run/logs-report.ts';

/** The prefix of the service's own channels. */
const servicePrefix = '$';

/** Whether the channel is left out when a request names no channel. */
export const isServiceChannel = (name: string): boolean => name.startsWith(servicePrefix);

/** The use that a request makes of a channel. */
export type ChannelUse = 'subscribe' | 'list' | 'stream' | 'delete';

const notDelivered =
  'what waits there for its delivery_ts is emitted on a channel of its own when it is due: name that one';

const ofNoSource = 'its events are of no source: subscribe to it';

/** For each channel, why it cannot be used in this way. */
const refusals: Readonly<Record<string, Partial<Record<ChannelUse, string>>>> = {
  [errorsChannel]: {},
  [logsChannel]: { delete: 'it lists the console of runs, which stay with their runs' },
  [auditChannel]: { list: ofNoSource, stream: ofNoSource, delete: 'checkpoints are kept' },
  [pendingChannel]: { subscribe: notDelivered, stream: notDelivered },
};

/** Why a request cannot name this channel, as text to follow the parameter's name; undefined: it can. */
export function channelProblem(name: string, use: ChannelUse): string | undefined {
  if (!isServiceChannel(name)) return undefined;
  const refusal = Object.hasOwn(refusals, name) ? refusals[name] : undefined;
  if (refusal !== undefined) return refusal[use] && `cannot be ${name} here: ${refusal[use]}`;
  const usable = Object.keys(refusals).filter((channel) => refusals[channel]?.[use] === undefined);
  return `names no channel: of those that begin with ${servicePrefix} there are ${usable.join(', ')}`;
}
