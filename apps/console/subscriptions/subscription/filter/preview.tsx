// Shows what the service would send of the newest events; nothing is sent or changed.
import { useState } from 'react';
import type { ReactNode } from 'react';
import { useQueries } from '@tanstack/react-query';
import { post } from '../../../api/http.ts';
import { useList } from '../../../api/paging.ts';
import type { EventSummary, Preview, SubscriptionDetail } from '../../../api/records.ts';
import { oneLine } from '../../../parts/format.ts';
import { JsonTree } from '../../../parts/json/json-tree.tsx';
import { Ago } from '../../../parts/now.tsx';
import { Card } from '../../../parts/page.tsx';
import { useDebounced } from '../../../parts/hooks/debounced.ts';
import { Failed, Loading } from '../../../parts/states.tsx';
import type { ParsedFilter } from './filter-text.ts';
import { outcomeOf } from './outcome.ts';
import type { Outcome } from './outcome.ts';

/** Few, because each event costs a request. */
const eventsMax = 8;

interface PreviewProps {
  readonly subscription: SubscriptionDetail;
  readonly read: ParsedFilter;
  /** Null: none. */
  readonly transform: string | null;
}

export function PreviewCard({ subscription, read, transform }: PreviewProps): ReactNode {
  const { id, emitter_id, event_name, positions } = subscription;
  const sourceId = emitter_id === 'dc_*' ? positions[0]?.emitter_id : emitter_id;
  const events = useList<EventSummary>(`/v1/sources/${sourceId}/event_summaries`, {
    query: { limit: eventsMax, event_name: event_name === '' ? undefined : event_name },
    enabled: sourceId !== undefined,
  });
  const newest = events.items.slice(0, eventsMax);
  const outcomes = useOutcomes(id, newest, useDebounced({ read, transform }));
  const [chosen, setChosen] = useState<string>();
  const selectedIndex = Math.max(
    0,
    newest.findIndex((event) => event.id === chosen),
  );
  const selectedOutcome = outcomes[selectedIndex];
  return (
    <Card title="On the newest events" flush>
      {events.isLoading && sourceId !== undefined ? <Loading rows={3} /> : null}
      {events.error !== null && newest.length === 0 ? <Failed error={events.error} retry={events.reload} /> : null}
      {!events.isLoading && events.error === null && newest.length === 0 ? (
        <p className="state dim small">There is no event to try it on yet.</p>
      ) : null}
      <ul aria-label="Newest events" className="entries">
        {newest.map((event, index) => (
          <TriedEvent
            key={event.id}
            event={event}
            outcome={outcomes[index]}
            isShown={index === selectedIndex}
            onSelect={() => setChosen(event.id)}
          />
        ))}
      </ul>
      {selectedOutcome?.sent === undefined ? null : (
        <section className="card-body" aria-label="What is sent">
          <h3 className="small">What is sent</h3>
          {selectedOutcome.headers.length === 0 ? null : (
            <pre className="pre">{selectedOutcome.headers.join('\n')}</pre>
          )}
          <JsonTree value={selectedOutcome.sent} />
        </section>
      )}
    </Card>
  );
}

/** Tries each event in its own request, once for each filter and transform. */
function useOutcomes(
  subscriptionId: string,
  events: readonly EventSummary[],
  { read, transform }: { readonly read: ParsedFilter; readonly transform: string | null },
): readonly Outcome[] {
  const filter = 'filter' in read ? read.filter : undefined;
  const isPassThrough = filter === null && transform === null;
  const previews = useQueries({
    queries: events.map(({ id, metadata: { emitter_id } }) => ({
      queryKey: ['asked', 'preview', subscriptionId, id, filter, transform],
      queryFn: async () => {
        const request = { event_id: id, emitter_id, filter, transform };
        return (await post<{ readonly data: Preview }>(`/v1/subscriptions/${subscriptionId}/preview`, request)).data;
      },
      enabled: filter !== undefined && !isPassThrough,
      staleTime: Infinity,
    })),
  });
  // Undefined for a large event, of which the list has only the beginning.
  const completeEventOf = ({ event, truncated }: EventSummary): unknown => (truncated === true ? undefined : event);
  return events.map((event, index) =>
    outcomeOf(completeEventOf(event), isPassThrough ? 'all' : (previews[index] ?? {})),
  );
}

interface TriedEventProps {
  readonly event: EventSummary;
  readonly outcome: Outcome | undefined;
  readonly isShown: boolean;
  readonly onSelect: () => void;
}

const toneOf = (outcome: Outcome | undefined): string =>
  outcome?.word === 'sent' ? 'good' : outcome?.word === 'fails' ? 'bad' : 'quiet';

const TriedEvent = ({ event, outcome, isShown, onSelect }: TriedEventProps): ReactNode => (
  <li>
    <button type="button" className="entry" aria-current={isShown} onClick={onSelect}>
      <span className="clip">{event.metadata.summary ?? oneLine(event.event)}</span>
      <span className={`tag ${toneOf(outcome)}`}>{outcome?.word ?? 'not known'}</span>
      <span className="dim small entry-sub">
        <Ago ms={event.indexed_at_ms} />
        {outcome?.reason === undefined ? '' : ` · ${outcome.reason}`}
      </span>
    </button>
  </li>
);
