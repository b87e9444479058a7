// The deliveries of the workspace, searched by filters; or only the parked ones.
import type { ReactNode } from 'react';
import { Button, Group } from '@mantine/core';
import { Link, useSearchParams } from 'wouter';
import { useNames } from '../api/names.ts';
import { useList } from '../api/paging.ts';
import type { Delivery } from '../api/records.ts';
import { useChosenAt } from '../parts/hooks/chosen-at.ts';
import { useDebounced } from '../parts/hooks/debounced.ts';
import { Card, Page } from '../parts/page.tsx';
import { Empty } from '../parts/states.tsx';
import { DeliverySplit } from './delivery-split.tsx';
import { DiscardParked } from './discard-parked.tsx';
import { fromTo } from '../parts/format.ts';
import { useLinkedDelivery } from './linked-delivery.ts';
import { Filters } from './filters.tsx';
import { filtersIn, isSearch, queryOf, withFilter } from './search.ts';
import type { DeliveryFilters } from './search.ts';

const refetchMs = 5_000;

export function Deliveries({ isParked = false }: { readonly isParked?: boolean }): ReactNode {
  const [search, setSearch] = useSearchParams();
  const filters = filtersIn(search);
  const settled = withFilter(filters, 'q', useDebounced(filters.q ?? ''));
  const chosenAt = useChosenAt(filters.hours);
  const query = queryOf(isParked ? { ...settled, state: 'parked' } : settled, chosenAt);
  const list = useList<Delivery>('/v1/deliveries', { query, refetchMs });
  const linked = useLinkedDelivery(list.items);
  const { nameOf } = useNames(list.items.flatMap(({ emitter_id, webhook_id }) => [emitter_id, webhook_id]));
  const change = (changed: DeliveryFilters): void => setSearch({ ...changed }, { replace: true });
  const hasFilters = Object.keys(filters).length > 0;
  return (
    <Page
      title={isParked ? 'Parked' : 'Deliveries'}
      lead={
        isParked
          ? 'What did not arrive after all its attempts, and waits for somebody.'
          : 'What became of each event for each subscription.'
      }
    >
      <Card flush actions={<Filters filters={filters} isParked={isParked} onChange={change} />}>
        <DeliverySplit
          list={list}
          titleOf={({ emitter_id, webhook_id }) => fromTo(nameOf(emitter_id), nameOf(webhook_id))}
          selected={linked.delivery}
          error={linked.error}
          onSelect={({ id }) => setSearch({ ...filters, delivery: id }, { replace: true })}
          empty={<EmptyList hasFilters={hasFilters} isParked={isParked} hasMore={list.hasMore} />}
          isSearch={isSearch(filters)}
        />
      </Card>
      {isParked && list.items.length > 0 ? <SubscriptionActions deliveries={list.items} nameOf={nameOf} /> : null}
    </Page>
  );
}

interface EmptyListProps {
  readonly hasFilters: boolean;
  readonly isParked: boolean;
  /** Older deliveries have not been searched yet. */
  readonly hasMore: boolean;
}

function EmptyList({ hasFilters, isParked, hasMore }: EmptyListProps): ReactNode {
  if (hasFilters)
    return (
      <Empty icon="search" title="Nothing found">
        {hasMore
          ? 'The newest deliveries do not have all of this. Older ones may: search further back, or choose a time, a source or a webhook.'
          : 'No delivery that is kept has all of this.'}
      </Empty>
    );
  if (isParked)
    return (
      <Empty icon="check" title="Nothing is parked">
        Every event has arrived, is still tried, or was given up.
      </Empty>
    );
  return (
    <Empty icon="delivery" title="Nothing sent yet">
      A subscription sends each event of a source to a webhook; it appears here with each attempt.
    </Empty>
  );
}

interface SubscriptionActionsProps {
  readonly deliveries: readonly Delivery[];
  readonly nameOf: (id: string) => string;
}

/** For each subscription, buttons that replay all of its parked deliveries in order, or discard them. */
function SubscriptionActions({ deliveries, nameOf }: SubscriptionActionsProps): ReactNode {
  const bySubscription = new Map(deliveries.map((delivery) => [delivery.subscription_id, delivery]));
  return (
    <Card title="All of a subscription">
      <ul className="plain-list">
        {[...bySubscription.values()].map(({ subscription_id, emitter_id, webhook_id }) => (
          <li key={subscription_id}>
            <span className="clip">{fromTo(nameOf(emitter_id), nameOf(webhook_id))}</span>
            <Group gap="xs">
              <Button
                component={Link}
                size="xs"
                variant="default"
                href={`/subscriptions/${subscription_id}/replays?only=parked`}
              >
                Replay parked
              </Button>
              <DiscardParked subscriptionId={subscription_id} />
            </Group>
          </li>
        ))}
      </ul>
    </Card>
  );
}
