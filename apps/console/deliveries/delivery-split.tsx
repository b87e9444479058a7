// Shows deliveries as a list, next to the details of the one that the address names.
import { memo } from 'react';
import type { ReactNode } from 'react';
import type { PagedList } from '../api/paging.ts';
import type { Delivery } from '../api/records.ts';
import { Ago } from '../parts/now.tsx';
import { useStableCallback } from '../parts/hooks/stable-callback.ts';
import { Failed, Loading } from '../parts/states.tsx';
import { ListFoot } from '../parts/table.tsx';
import { StateTag } from '../parts/tag.tsx';
import { DeliveryDetail } from './delivery-detail.tsx';

interface SplitProps {
  readonly list: PagedList<Delivery>;
  /** What a row shows in addition to the state and the event. */
  readonly titleOf?: (delivery: Delivery) => string;
  readonly selected: Delivery | undefined;
  readonly onSelect: (delivery: Delivery) => void;
  readonly empty: ReactNode;
  readonly isSearch?: boolean;
  /** Why the delivery that the address names is not shown; null: it is shown or is still loading. */
  readonly error?: unknown;
}

export function DeliverySplit({
  list,
  titleOf,
  selected,
  onSelect,
  empty,
  isSearch = false,
  error = null,
}: SplitProps): ReactNode {
  const select = useStableCallback(onSelect);
  const isNone = selected === undefined && list.items.length === 0 && error === null;
  if (isNone && list.isLoading) return <Loading />;
  if (isNone && list.error !== null) return <Failed error={list.error} retry={list.reload} />;
  if (isNone)
    return (
      <>
        {empty}
        {list.hasMore ? <ListFoot list={list} isSearch={isSearch} /> : null}
      </>
    );
  return (
    <div className="split">
      <div>
        <div className="split-list">
          <ul aria-label="Deliveries">
            {list.items.map((delivery) => (
              <Entry
                key={delivery.id}
                delivery={delivery}
                title={titleOf?.(delivery)}
                isSelected={delivery.id === selected?.id}
                onSelect={select}
              />
            ))}
          </ul>
        </div>
        <ListFoot list={list} isSearch={isSearch} />
      </div>
      <div className="split-detail" role="region" aria-label="Delivery" tabIndex={0}>
        {error === null ? null : <Failed error={error} />}
        {error === null && selected === undefined ? <Loading rows={3} /> : null}
        {selected === undefined ? null : <DeliveryDetail key={selected.id} delivery={selected} />}
      </div>
    </div>
  );
}

interface EntryProps {
  readonly delivery: Delivery;
  readonly title: string | undefined;
  readonly isSelected: boolean;
  readonly onSelect: (delivery: Delivery) => void;
}

const Entry = memo(function Entry({ delivery, title, isSelected, onSelect }: EntryProps): ReactNode {
  const last = delivery.attempts.at(-1);
  return (
    <li>
      <button type="button" className="entry" aria-current={isSelected} onClick={() => onSelect(delivery)}>
        <span>
          <StateTag state={delivery.state} /> <span className="dim small">{last?.status ?? last?.failure}</span>
        </span>
        <span className="dim small">
          <Ago ms={delivery.updated_at_ms} />
        </span>
        {title === undefined ? null : <span className="entry-sub clip">{title}</span>}
        <span className="entry-sub clip mono dim">{delivery.event_id}</span>
      </button>
    </li>
  );
});
