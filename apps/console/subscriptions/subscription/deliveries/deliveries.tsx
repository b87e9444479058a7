// What a subscription sent: each event with its attempts; those that fail and those that stand parked can be looked at alone.
import type { ReactNode } from 'react';
import { Button, SegmentedControl } from '@mantine/core';
import { Link, useSearchParams } from 'wouter';
import { useList } from '../../../api/paging.ts';
import type { Listed } from '../../../api/paging.ts';
import type { Delivery, SubscriptionDetail } from '../../../api/records.ts';
import { Ago } from '../../../parts/now.tsx';
import { Card } from '../../../parts/page.tsx';
import { Empty, Failed, Loading } from '../../../parts/states.tsx';
import { ListFoot } from '../../../parts/table.tsx';
import { StateTag } from '../../../parts/tag.tsx';
import { DeliveryDetail } from './delivery-detail.tsx';

const refetchMs = 2_000;
const states = [
  { value: '', label: 'All' },
  { value: 'failing', label: 'Failing' },
  { value: 'parked', label: 'Parked' },
  { value: 'delivered', label: 'Delivered' },
];

export function Deliveries({ subscription }: { readonly subscription: SubscriptionDetail }): ReactNode {
  const [search, setSearch] = useSearchParams();
  const state = search.get('state') ?? '';
  const path = `/v1/subscriptions/${subscription.id}/deliveries`;
  const list = useList<Delivery>(path, { query: { state: state === '' ? undefined : state }, refetchMs });
  const selected = list.items.find(({ id }) => id === search.get('delivery')) ?? list.items[0];
  const choose = (values: Readonly<Record<string, string>>): void =>
    setSearch({ ...(state && { state }), ...values }, { replace: true });
  return (
    <Card
      flush
      actions={
        <>
          <SegmentedControl
            size="xs"
            aria-label="Deliveries"
            data={states}
            value={state}
            onChange={(value) => setSearch(value === '' ? {} : { state: value }, { replace: true })}
          />
          {subscription.counters.parked > 0 ? (
            <Button component={Link} size="xs" href={`/subscriptions/${subscription.id}/replays?only=parked`}>
              Replay parked
            </Button>
          ) : null}
        </>
      }
    >
      {selected === undefined ? (
        <None list={list} state={state} />
      ) : (
        <div className="split">
          <div>
            <div className="split-list">
              <ul aria-label="Deliveries">
                {list.items.map((delivery) => (
                  <Entry
                    key={delivery.id}
                    delivery={delivery}
                    isSelected={delivery.id === selected.id}
                    onSelect={() => choose({ delivery: delivery.id })}
                  />
                ))}
              </ul>
            </div>
            <ListFoot list={list} />
          </div>
          <div className="split-detail" role="region" aria-label="Delivery" tabIndex={0}>
            <DeliveryDetail delivery={selected} />
          </div>
        </div>
      )}
    </Card>
  );
}

function None({ list, state }: { readonly list: Listed<Delivery>; readonly state: string }): ReactNode {
  if (list.isLoading) return <Loading />;
  if (list.error !== null) return <Failed error={list.error} retry={list.reload} />;
  if (state === '')
    return (
      <Empty icon="delivery" title="Nothing sent yet">
        The next event of the source is sent to the webhook, and appears here with each attempt.
      </Empty>
    );
  return (
    <Empty icon="check" title={`Nothing is ${state}`}>
      No delivery of this subscription is in this state.
    </Empty>
  );
}

interface EntryProps {
  readonly delivery: Delivery;
  readonly isSelected: boolean;
  readonly onSelect: () => void;
}

function Entry({ delivery, isSelected, onSelect }: EntryProps): ReactNode {
  const last = delivery.attempts.at(-1);
  return (
    <li>
      <button type="button" className="entry" aria-current={isSelected} onClick={onSelect}>
        <span>
          <StateTag state={delivery.state} /> <span className="dim small">{last?.status ?? last?.failure}</span>
        </span>
        <span className="dim small">
          <Ago ms={delivery.updated_at_ms} />
        </span>
        <span className="entry-sub clip mono dim">{delivery.event_id}</span>
      </button>
    </li>
  );
}
