// Shows the events of a source live; the address names the selected one.
import { memo } from 'react';
import type { ReactNode } from 'react';
import { Button, TextInput } from '@mantine/core';
import { useSearchParams } from 'wouter';
import { filterEvents } from '../../../api/live/event-records.ts';
import { useLiveEvents } from '../../../api/live/events.ts';
import type { LiveEvents } from '../../../api/live/events.ts';
import type { EventSummary, Source } from '../../../api/records.ts';
import { formatCount, oneLine } from '../../../parts/format.ts';
import { Ago } from '../../../parts/now.tsx';
import { Card } from '../../../parts/page.tsx';
import { useStableCallback } from '../../../parts/hooks/stable-callback.ts';
import { Empty, Failed, Loading } from '../../../parts/states.tsx';
import { ListFoot } from '../../../parts/table.tsx';
import { Tag } from '../../../parts/tag.tsx';
import { endpointOf } from '../endpoint.tsx';
import { LiveState } from '../live-state.tsx';
import { DeleteEvents } from './delete-events.tsx';
import { EventDetail } from './event-detail.tsx';

export function Events({ source }: { readonly source: Source }): ReactNode {
  const live = useLiveEvents(source.id);
  const [search, setSearch] = useSearchParams();
  const text = search.get('q') ?? '';
  const chosen = search.get('event') ?? undefined;
  const textParam = text === '' ? {} : { q: text };
  const shown = filterEvents(live.list.items, text);
  const selected = chosen ?? shown[0]?.id;
  const select = useStableCallback((id: string) => setSearch({ ...textParam, event: id }, { replace: true }));
  const removeDeleted = (id: string): void => {
    live.forget(id);
    // By then the user might have selected another event.
    setSearch((now) => ((now.get('event') ?? id) === id ? textParam : now), { replace: true });
  };
  const setText = (q: string): void =>
    setSearch({ ...(q === '' ? {} : { q }), ...(chosen === undefined ? {} : { event: chosen }) }, { replace: true });
  return (
    <Card flush actions={<Toolbar live={live} text={text} setText={setText} source={source} />}>
      <EventStates live={live} source={source} isLinked={chosen !== undefined}>
        <div className="split">
          <div>
            <div className="split-list" tabIndex={-1}>
              <ul aria-label="Events">
                {shown.map((event) => (
                  <EventEntry key={event.id} event={event} isSelected={event.id === selected} onSelect={select} />
                ))}
              </ul>
              {shown.length === 0 ? <p className="state dim small">None of the events shown has this text.</p> : null}
            </div>
            <ListFoot list={live.list} />
          </div>
          <div className="split-detail" role="region" aria-label="Event" tabIndex={0}>
            {selected === undefined ? null : (
              <EventDetail
                key={selected}
                sourceId={source.id}
                id={selected}
                listed={findListed(live, selected)}
                onDelete={() => removeDeleted(selected)}
              />
            )}
          </div>
        </div>
      </EventStates>
    </Card>
  );
}

const findListed = ({ list }: LiveEvents, id: string): EventSummary | undefined =>
  list.items.find((event) => event.id === id);

interface StatesProps {
  readonly live: LiveEvents;
  readonly source: Source;
  readonly isLinked: boolean;
  readonly children: ReactNode;
}

function EventStates({ live: { list }, source, isLinked, children }: StatesProps): ReactNode {
  if (list.isLoading) return <Loading />;
  if (list.error !== null && list.items.length === 0) return <Failed error={list.error} retry={list.reload} />;
  if (list.items.length > 0 || isLinked) return children;
  return (
    <Empty icon="source" title="No events yet">
      They appear here the moment they are emitted: {howToEmit(source)}.
    </Empty>
  );
}

function howToEmit(source: Source): string {
  if (source.kind === 'channel') return 'publish one here, or over the API';
  if (endpointOf(source) !== undefined) return 'send a request to the endpoint, or run the source now';
  return source.next_run_at_ms === null ? 'run the source now' : 'run the source now, or wait for its timer';
}

interface ToolbarProps {
  readonly live: LiveEvents;
  readonly text: string;
  readonly setText: (text: string) => void;
  readonly source: Source;
}

const Toolbar = ({ live, text, setText, source }: ToolbarProps): ReactNode => (
  <>
    <TextInput
      type="search"
      aria-label="Find in the events shown"
      placeholder="Find in the events shown  ( / )"
      value={text}
      onChange={({ currentTarget }) => setText(currentTarget.value)}
    />
    <div className="actions">
      <LiveState connection={live.connection} />
      {live.connection === 'paused' ? (
        <Button size="xs" onClick={live.resume}>
          {live.waitingCount > 0 ? `Show ${formatCount(live.waitingCount)} new` : 'Resume'}
        </Button>
      ) : (
        <Button variant="default" size="xs" onClick={live.pause}>
          Pause
        </Button>
      )}
      <DeleteEvents source={source} onDelete={() => live.forget()} />
    </div>
  </>
);

/** A row must be visible even if its summary or event is blank. */
const summaryText = ({ metadata: { summary }, event }: EventSummary): string =>
  [summary, oneLine(event)].find((text) => text !== undefined && text !== null && text.trim() !== '') ??
  JSON.stringify(event);

interface EntryProps {
  readonly event: EventSummary;
  readonly isSelected: boolean;
  readonly onSelect: (id: string) => void;
}

const EventEntry = memo(function EventEntry({ event: record, isSelected, onSelect }: EntryProps): ReactNode {
  const { id, metadata, indexed_at_ms } = record;
  return (
    <li>
      <button type="button" className="entry" aria-current={isSelected} onClick={() => onSelect(id)}>
        <span className="clip">{summaryText(record)}</span>
        <span className="dim small">
          <Ago ms={indexed_at_ms} />
        </span>
        {metadata.name === '' && metadata.sample !== true ? null : (
          <span className="entry-sub">
            {metadata.name === '' ? null : <Tag>{metadata.name}</Tag>}{' '}
            {metadata.sample === true ? <Tag>sample</Tag> : null}
          </span>
        )}
      </button>
    </li>
  );
});
