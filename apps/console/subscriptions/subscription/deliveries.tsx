// Lists the deliveries of a subscription with their attempts; the failing and the parked ones can be shown alone.
import type { ReactNode } from 'react';
import { Button, SegmentedControl } from '@mantine/core';
import { Link, useSearchParams } from 'wouter';
import { useList } from '../../api/paging.ts';
import type { Delivery, SubscriptionDetail } from '../../api/records.ts';
import { DiscardParked } from '../../deliveries/discard-parked.tsx';
import { DeliverySplit } from '../../deliveries/delivery-split.tsx';
import { useLinkedDelivery } from '../../deliveries/linked-delivery.ts';
import { Card } from '../../parts/page.tsx';
import { Empty } from '../../parts/states.tsx';

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
  const linked = useLinkedDelivery(list.items);
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
            <>
              <Button component={Link} size="xs" href={`/subscriptions/${subscription.id}/replays?only=parked`}>
                Replay parked
              </Button>
              <DiscardParked subscriptionId={subscription.id} />
            </>
          ) : null}
        </>
      }
    >
      <DeliverySplit
        list={list}
        selected={linked.delivery}
        error={linked.error}
        onSelect={({ id }) => choose({ delivery: id })}
        empty={<EmptyList state={state} />}
      />
    </Card>
  );
}

function EmptyList({ state }: { readonly state: string }): ReactNode {
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
