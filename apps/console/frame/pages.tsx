// Which address shows which page; each is loaded when it is first wanted.
import { Suspense, lazy, useEffect } from 'react';
import type { ReactNode } from 'react';
import { Button } from '@mantine/core';
import { Link, Route, Switch } from 'wouter';
import { Page } from '../parts/page.tsx';
import { Empty, Loading } from '../parts/states.tsx';

const Overview = lazy(async () => ({ default: (await import('../overview/overview.tsx')).Overview }));
const Sources = lazy(async () => ({ default: (await import('../sources/sources.tsx')).Sources }));
const NewSource = lazy(async () => ({ default: (await import('../sources/new/new-source.tsx')).NewSource }));
const SourcePage = lazy(async () => ({ default: (await import('../sources/source/source-page.tsx')).SourcePage }));
const Webhooks = lazy(async () => ({ default: (await import('../webhooks/webhooks.tsx')).Webhooks }));
const NewWebhook = lazy(async () => ({ default: (await import('../webhooks/new-webhook.tsx')).NewWebhook }));
const WebhookPage = lazy(async () => ({ default: (await import('../webhooks/webhook/webhook-page.tsx')).WebhookPage }));
const Subscriptions = lazy(async () => ({
  default: (await import('../subscriptions/subscriptions.tsx')).Subscriptions,
}));
const NewSubscription = lazy(async () => ({
  default: (await import('../subscriptions/new-subscription.tsx')).NewSubscription,
}));
const SubscriptionPage = lazy(async () => ({
  default: (await import('../subscriptions/subscription/subscription-page.tsx')).SubscriptionPage,
}));
const Deliveries = lazy(async () => ({ default: (await import('../deliveries/deliveries.tsx')).Deliveries }));
const Components = lazy(async () => ({ default: (await import('../components/components.tsx')).Components }));
const ComponentPage = lazy(async () => ({
  default: (await import('../components/component/component-page.tsx')).ComponentPage,
}));
const Accounts = lazy(async () => ({ default: (await import('../accounts/accounts.tsx')).Accounts }));
const NewAccount = lazy(async () => ({ default: (await import('../accounts/new-account.tsx')).NewAccount }));
const AccountPage = lazy(async () => ({ default: (await import('../accounts/account/account-page.tsx')).AccountPage }));
const Activity = lazy(async () => ({ default: (await import('../activity/activity.tsx')).Activity }));
const ApiKeys = lazy(async () => ({ default: (await import('../keys/api-keys.tsx')).ApiKeys }));
const NewApiKey = lazy(async () => ({ default: (await import('../keys/new-api-key.tsx')).NewApiKey }));

export const Pages = (): ReactNode => (
  <Suspense fallback={<Loading />}>
    <Switch>
      <Route path="/" component={Overview} />
      <Route path="/sources" component={Sources} />
      <Route path="/sources/new" component={NewSource} />
      <Route path="/sources/:id/:tab?">{({ id, tab }) => <SourcePage key={id} id={id} tab={tab ?? 'events'} />}</Route>
      <Route path="/webhooks" component={Webhooks} />
      <Route path="/webhooks/new" component={NewWebhook} />
      <Route path="/webhooks/:id">{({ id }) => <WebhookPage key={id} id={id} />}</Route>
      <Route path="/subscriptions" component={Subscriptions} />
      <Route path="/subscriptions/new" component={NewSubscription} />
      <Route path="/subscriptions/:id/:tab?">
        {({ id, tab }) => <SubscriptionPage key={id} id={id} tab={tab ?? 'deliveries'} />}
      </Route>
      <Route path="/deliveries">
        <Deliveries key="all" />
      </Route>
      <Route path="/parked">
        <Deliveries key="parked" isParked />
      </Route>
      <Route path="/components" component={Components} />
      <Route path="/components/:id">{({ id }) => <ComponentPage key={id} id={id} />}</Route>
      <Route path="/accounts" component={Accounts} />
      <Route path="/accounts/new" component={NewAccount} />
      <Route path="/accounts/:id">{({ id }) => <AccountPage key={id} id={id} />}</Route>
      <Route path="/activity" component={Activity} />
      <Route path="/api-keys" component={ApiKeys} />
      <Route path="/api-keys/new" component={NewApiKey} />
      <Route component={Missing} />
    </Switch>
  </Suspense>
);

function Missing(): ReactNode {
  useEffect(() => {
    document.title = 'Not found · Wellspring';
  }, []);
  return (
    <Page title="Not found">
      <Empty
        icon="search"
        title="There is no such page"
        action={
          <Button component={Link} href="/">
            To the overview
          </Button>
        }
      >
        The link is not complete, or what it named is called otherwise.
      </Empty>
    </Page>
  );
}
