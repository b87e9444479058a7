// Which version a record is written with: the next one where an older program would take it for something else.
import { eventVersion } from '../component/life/version.ts';
import { isSourceId } from '../id.ts';
import type { LogRecord } from '../message.ts';

/** Sources that listen: before them every listener was a webhook, and no trigger carried an event of another source. */
const listeningSources = 2;

const ofSubscription: ReadonlySet<string> = new Set(['SubscriptionCreated', 'SubscriptionDefined']);

export function versionOf({ type, data }: Pick<LogRecord, 'type' | 'data'>): number {
  if (type === 'ListenerGone') return listeningSources;
  if (data === undefined) return 1;
  if (type === 'TriggerRequested') return (data as { readonly kind: string }).kind === 'event' ? listeningSources : 1;
  if (ofSubscription.has(type))
    return isSourceId((data as { readonly listenerId: string }).listenerId) ? listeningSources : 1;
  return eventVersion({ type, data: data as object });
}
