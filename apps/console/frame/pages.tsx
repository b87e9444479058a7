// Maps addresses to pages; a page's code is loaded when it is first shown, or ahead of that by `loadPage`.
import { useEffect } from 'react';
import type { ComponentType, ReactNode } from 'react';
import { Button } from '@mantine/core';
import { Link, Route, Switch, matchRoute } from 'wouter';
import type { Parser } from 'wouter';
import { lazyPart } from '../parts/lazy-part.tsx';
import { Page } from '../parts/page.tsx';
import { Empty } from '../parts/states.tsx';
import { ErrorBoundary } from './error-boundary.tsx';

type Params = Readonly<Record<string, string | undefined>>;

interface PageRoute {
  readonly path: string;
  readonly load: () => Promise<void>;
  readonly render: (params: Params) => ReactNode;
}

const plainRoute = (path: string, importPage: () => Promise<ComponentType>): PageRoute =>
  route(path, importPage, () => ({}));
const recordRoute = (path: string, importPage: () => Promise<ComponentType<{ readonly id: string }>>): PageRoute =>
  route(path, importPage, ({ id = '' }) => ({ id }));

/** Each record, and each address without a record, gets a new page, which keeps no state of another. */
function route<P extends object>(
  path: string,
  importPage: () => Promise<ComponentType<P>>,
  propsOf: (params: Params) => P,
): PageRoute {
  const { Part, load } = lazyPart(importPage);
  const render = (params: Params): ReactNode => (
    <ErrorBoundary key={params['id'] ?? path}>
      <Part {...propsOf(params)} />
    </ErrorBoundary>
  );
  return { path, load, render };
}

const routes: readonly PageRoute[] = [
  plainRoute('/', async () => (await import('../overview/overview.tsx')).Overview),
  plainRoute('/sources', async () => (await import('../sources/sources.tsx')).Sources),
  plainRoute('/sources/new', async () => (await import('../sources/new/new-source.tsx')).NewSource),
  route(
    '/sources/:id/:tab?',
    async () => (await import('../sources/source/source-page.tsx')).SourcePage,
    ({ id = '', tab = 'events' }) => ({ id, tab }),
  ),
  plainRoute('/webhooks', async () => (await import('../webhooks/webhooks.tsx')).Webhooks),
  plainRoute('/webhooks/new', async () => (await import('../webhooks/new-webhook.tsx')).NewWebhook),
  recordRoute('/webhooks/:id', async () => (await import('../webhooks/webhook/webhook-page.tsx')).WebhookPage),
  plainRoute('/subscriptions', async () => (await import('../subscriptions/subscriptions.tsx')).Subscriptions),
  plainRoute('/subscriptions/new', async () => (await import('../subscriptions/new-subscription.tsx')).NewSubscription),
  route(
    '/subscriptions/:id/:tab?',
    async () => (await import('../subscriptions/subscription/subscription-page.tsx')).SubscriptionPage,
    ({ id = '', tab = 'deliveries' }) => ({ id, tab }),
  ),
  plainRoute('/deliveries', async () => (await import('../deliveries/deliveries.tsx')).Deliveries),
  route(
    '/parked',
    async () => (await import('../deliveries/deliveries.tsx')).Deliveries,
    () => ({ isParked: true }),
  ),
  plainRoute('/components', async () => (await import('../components/components.tsx')).Components),
  recordRoute(
    '/components/:id',
    async () => (await import('../components/component/component-page.tsx')).ComponentPage,
  ),
  plainRoute('/accounts', async () => (await import('../accounts/accounts.tsx')).Accounts),
  plainRoute('/accounts/new', async () => (await import('../accounts/new-account.tsx')).NewAccount),
  recordRoute('/accounts/:id', async () => (await import('../accounts/account/account-page.tsx')).AccountPage),
  plainRoute('/data-stores', async () => (await import('../stores/stores.tsx')).Stores),
  plainRoute('/data-stores/new', async () => (await import('../stores/new-store.tsx')).NewStore),
  recordRoute('/data-stores/:id', async () => (await import('../stores/store/store-page.tsx')).StorePage),
  plainRoute('/activity', async () => (await import('../activity/activity.tsx')).Activity),
  plainRoute('/api-keys', async () => (await import('../keys/api-keys.tsx')).ApiKeys),
  plainRoute('/api-keys/new', async () => (await import('../keys/new-api-key.tsx')).NewApiKey),
];

/** Begins to load the page of an address. */
export function loadPage(parser: Parser, pathname: string): void {
  const found = routes.find(({ path }) => matchRoute(parser, path, pathname)[0]);
  if (found !== undefined) void found.load();
}

export const Pages = (): ReactNode => (
  <Switch>
    {routes.map(({ path, render }) => (
      <Route key={path} path={path}>
        {render}
      </Route>
    ))}
    <Route component={NotFound} />
  </Switch>
);

function NotFound(): ReactNode {
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
