// Maps addresses to pages; a page's code is loaded when it is first shown, or ahead of that by `loadPage`.
import { useEffect } from 'react';
import type { ComponentType, ReactNode } from 'react';
import { Button } from '@mantine/core';
import { Link, Route, Switch, matchRoute } from 'wouter';
import type { Parser } from 'wouter';
import { loaded } from '../parts/loaded.tsx';
import { Page } from '../parts/page.tsx';
import { Empty } from '../parts/states.tsx';
import { Boundary } from './boundary.tsx';

type Params = Readonly<Record<string, string | undefined>>;

interface PageRoute {
  readonly path: string;
  readonly load: () => Promise<void>;
  readonly draw: (params: Params) => ReactNode;
}

const plain = (path: string, ask: () => Promise<ComponentType>): PageRoute => route(path, ask, () => ({}));
const withId = (path: string, ask: () => Promise<ComponentType<{ readonly id: string }>>): PageRoute =>
  route(path, ask, ({ id = '' }) => ({ id }));

/** Each record, and each address without a record, gets a new page, which keeps no state of another. */
function route<P extends object>(
  path: string,
  ask: () => Promise<ComponentType<P>>,
  propsOf: (params: Params) => P,
): PageRoute {
  const { Part, load } = loaded(ask);
  const draw = (params: Params): ReactNode => (
    <Boundary key={params['id'] ?? path}>
      <Part {...propsOf(params)} />
    </Boundary>
  );
  return { path, load, draw };
}

const routes: readonly PageRoute[] = [
  plain('/', async () => (await import('../overview/overview.tsx')).Overview),
  plain('/sources', async () => (await import('../sources/sources.tsx')).Sources),
  plain('/sources/new', async () => (await import('../sources/new/new-source.tsx')).NewSource),
  route(
    '/sources/:id/:tab?',
    async () => (await import('../sources/source/source-page.tsx')).SourcePage,
    ({ id = '', tab = 'events' }) => ({ id, tab }),
  ),
  plain('/webhooks', async () => (await import('../webhooks/webhooks.tsx')).Webhooks),
  plain('/webhooks/new', async () => (await import('../webhooks/new-webhook.tsx')).NewWebhook),
  withId('/webhooks/:id', async () => (await import('../webhooks/webhook/webhook-page.tsx')).WebhookPage),
  plain('/subscriptions', async () => (await import('../subscriptions/subscriptions.tsx')).Subscriptions),
  plain('/subscriptions/new', async () => (await import('../subscriptions/new-subscription.tsx')).NewSubscription),
  route(
    '/subscriptions/:id/:tab?',
    async () => (await import('../subscriptions/subscription/subscription-page.tsx')).SubscriptionPage,
    ({ id = '', tab = 'deliveries' }) => ({ id, tab }),
  ),
  plain('/deliveries', async () => (await import('../deliveries/deliveries.tsx')).Deliveries),
  route(
    '/parked',
    async () => (await import('../deliveries/deliveries.tsx')).Deliveries,
    () => ({ isParked: true }),
  ),
  plain('/components', async () => (await import('../components/components.tsx')).Components),
  withId('/components/:id', async () => (await import('../components/component/component-page.tsx')).ComponentPage),
  plain('/accounts', async () => (await import('../accounts/accounts.tsx')).Accounts),
  plain('/accounts/new', async () => (await import('../accounts/new-account.tsx')).NewAccount),
  withId('/accounts/:id', async () => (await import('../accounts/account/account-page.tsx')).AccountPage),
  plain('/data-stores', async () => (await import('../stores/stores.tsx')).Stores),
  plain('/data-stores/new', async () => (await import('../stores/new-store.tsx')).NewStore),
  withId('/data-stores/:id', async () => (await import('../stores/store/store-page.tsx')).StorePage),
  plain('/activity', async () => (await import('../activity/activity.tsx')).Activity),
  plain('/api-keys', async () => (await import('../keys/api-keys.tsx')).ApiKeys),
  plain('/api-keys/new', async () => (await import('../keys/new-api-key.tsx')).NewApiKey),
];

/** Begins to load the page of an address. */
export function loadPage(parser: Parser, pathname: string): void {
  const found = routes.find(({ path }) => matchRoute(parser, path, pathname)[0]);
  if (found !== undefined) void found.load();
}

export const Pages = (): ReactNode => (
  <Switch>
    {routes.map(({ path, draw }) => (
      <Route key={path} path={path}>
        {draw}
      </Route>
    ))}
    <Route component={Missing} />
  </Switch>
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
