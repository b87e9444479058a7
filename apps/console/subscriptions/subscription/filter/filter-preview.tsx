// Which of the newest events would be sent, as the service itself says; nothing is sent or changed.
import type { ReactNode } from 'react';
import { useQuery } from '@tanstack/react-query';
import { post } from '../../../api/http.ts';
import { useList } from '../../../api/paging.ts';
import { problemOf } from '../../../api/problem.ts';
import type { EventSummary, Preview, SubscriptionDetail } from '../../../api/records.ts';
import { oneLine } from '../../../parts/format.ts';
import { Ago } from '../../../parts/now.tsx';
import { Card } from '../../../parts/page.tsx';
import { Loading } from '../../../parts/states.tsx';
import { useSettled } from '../../../parts/settled.ts';
import type { ReadFilter } from './filter-text.ts';

/** As many as a glance takes in: each is a request. */
const eventsTried = 8;

interface FilterPreviewProps {
  readonly subscription: SubscriptionDetail;
  readonly read: ReadFilter;
}

export function FilterPreview({ subscription, read }: FilterPreviewProps): ReactNode {
  const { emitter_id, event_name, positions } = subscription;
  const sourceId = emitter_id === 'dc_*' ? positions[0]?.emitter_id : emitter_id;
  const events = useList<EventSummary>(`/v1/sources/${sourceId}/event_summaries`, {
    query: { limit: eventsTried, event_name: event_name === '' ? undefined : event_name },
    enabled: sourceId !== undefined,
  });
  const filter = useSettled(read);
  const newest = events.items.slice(0, eventsTried);
  return (
    <Card title="On the newest events" flush>
      {events.isLoading && sourceId !== undefined ? <Loading rows={3} /> : null}
      {!events.isLoading && newest.length === 0 ? (
        <p className="state dim small">There is no event to try it on yet.</p>
      ) : null}
      <ul className="plain-list" aria-label="Newest events">
        {newest.map((event) => (
          <Tried
            key={event.id}
            subscriptionId={subscription.id}
            event={event}
            read={filter}
            hasTransform={subscription.transform !== null}
          />
        ))}
      </ul>
    </Card>
  );
}

interface TriedProps {
  readonly subscriptionId: string;
  readonly event: EventSummary;
  readonly read: ReadFilter;
  readonly hasTransform: boolean;
}

function outcomeOf(matches: boolean, hasFailed: boolean): string {
  if (hasFailed) return 'fails';
  return matches ? 'sent' : 'left out';
}

function Tried({ subscriptionId, event, read, hasTransform }: TriedProps): ReactNode {
  const filter = 'filter' in read ? (read.filter ?? {}) : undefined;
  const isEmpty = filter !== undefined && Object.keys(filter).length === 0;
  const isAll = isEmpty && !hasTransform;
  const tried = useQuery({
    queryKey: ['asked', 'preview', subscriptionId, event.id, filter],
    queryFn: async () => {
      const request = { event_id: event.id, emitter_id: event.metadata.emitter_id, filter: isEmpty ? null : filter };
      return (await post<{ readonly data: Preview }>(`/v1/subscriptions/${subscriptionId}/preview`, request)).data;
    },
    enabled: filter !== undefined && !isAll,
    staleTime: Infinity,
  });
  const error = tried.data?.error ?? null;
  const matches = isAll || (tried.data?.matches === true && error === null);
  const reason = tried.isError ? problemOf(tried.error).message : (error?.message ?? tried.data?.reason);
  const isKnown = isAll || tried.data !== undefined;
  return (
    <li>
      <span className="clip">{event.metadata.summary ?? oneLine(event.event)}</span>
      <span className={`tag ${isKnown && matches ? 'good' : 'quiet'}`}>
        {isKnown ? outcomeOf(matches, error !== null) : 'not known'}
      </span>
      <span className="dim small entry-sub">
        <Ago ms={event.indexed_at_ms} />
        {matches || reason === null || reason === undefined ? '' : ` · ${reason}`}
      </span>
    </li>
  );
}
