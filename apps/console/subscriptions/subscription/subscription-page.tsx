// The page of one subscription: how far it is, its deliveries, and the actions for those that did not arrive.
import type { ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import { remove } from '../../api/http.ts';
import { useNames } from '../../api/names.ts';
import { useChange, useRecord } from '../../api/record.ts';
import type { SubscriptionDetail } from '../../api/records.ts';
import { ConfirmedButton, deleteButtonProps } from '../../parts/confirm.tsx';
import { Card, Page, Tabs } from '../../parts/page.tsx';
import { Failed, Loading } from '../../parts/states.tsx';
import { StateTag } from '../../parts/tag.tsx';
import { fromTo } from '../../parts/format.ts';
import { Deliveries } from './deliveries.tsx';
import { FilterAndTransform } from './filter/filter-and-transform.tsx';
import { Positions } from './positions.tsx';
import { Replays } from './replays/replays.tsx';

const refetchMs = 2_000;
const parent = { href: '/subscriptions', name: 'Subscriptions' };

interface SubscriptionPageProps {
  readonly id: string;
  readonly tab: string;
}

export function SubscriptionPage({ id, tab }: SubscriptionPageProps): ReactNode {
  const path = `/v1/subscriptions/${encodeURIComponent(id)}`;
  const { data: subscription, error, refetch } = useRecord<SubscriptionDetail>(path, refetchMs);
  const { nameOf } = useNames(subscription === undefined ? [] : [subscription.emitter_id, subscription.listener_id]);
  if (subscription === undefined)
    return (
      <Page title="Subscription" parent={parent}>
        <Card flush>{error === null ? <Loading /> : <Failed error={error} retry={() => void refetch()} />}</Card>
      </Page>
    );
  return (
    <Page
      title={fromTo(nameOf(subscription.emitter_id), nameOf(subscription.listener_id))}
      badge={<StateTag state={subscription.state} />}
      lead={<Lead subscription={subscription} />}
      parent={parent}
      actions={<DeleteSubscription id={id} />}
    >
      <Positions subscription={subscription} />
      <Tabs
        label="Of this subscription"
        tabs={[
          { href: `/subscriptions/${id}`, name: 'Deliveries' },
          { href: `/subscriptions/${id}/filter`, name: 'Filter and transform' },
          { href: `/subscriptions/${id}/replays`, name: 'Replays' },
        ]}
      />
      <TabContent subscription={subscription} tab={tab} />
    </Page>
  );
}

function TabContent({
  subscription,
  tab,
}: {
  readonly subscription: SubscriptionDetail;
  readonly tab: string;
}): ReactNode {
  if (tab === 'filter') return <FilterAndTransform key={subscription.id} subscription={subscription} />;
  if (tab === 'replays') return <Replays subscription={subscription} />;
  return <Deliveries subscription={subscription} />;
}

const Lead = ({ subscription }: { readonly subscription: SubscriptionDetail }): ReactNode => (
  <>
    {subscription.emitter_id === 'dc_*' ? null : (
      <>
        <Link href={`/sources/${subscription.emitter_id}`}>Source</Link> ·{' '}
      </>
    )}
    {subscription.listener_id.startsWith('wh_') ? (
      <Link href={`/webhooks/${subscription.listener_id}`}>Webhook</Link>
    ) : (
      <Link href={`/sources/${subscription.listener_id}`}>Listening source</Link>
    )}{' '}
    · <span className="mono">{subscription.id}</span>
  </>
);

function DeleteSubscription({ id }: { readonly id: string }): ReactNode {
  const [, go] = useLocation();
  const deletion = useChange(() => remove(`/v1/subscriptions/${id}`), {
    doneMessage: 'The subscription is deleted.',
    onDone: () => go('/subscriptions'),
    quiet: true,
  });
  return (
    <ConfirmedButton
      label="Delete"
      buttonProps={deleteButtonProps}
      change={deletion}
      title="Delete this subscription?"
      verb="Delete subscription"
    >
      Nothing more of it is sent. A new subscription starts from scratch, and does not know what this one had delivered.
    </ConfirmedButton>
  );
}
