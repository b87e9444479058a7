// Which address shows which page; each is loaded when it is first wanted.
import { Suspense, lazy, useEffect } from 'react';
import type { ReactNode } from 'react';
import { Button } from '@mantine/core';
import { Link, Redirect, Route, Switch } from 'wouter';
import { Page } from '../parts/page.tsx';
import { Empty, Loading } from '../parts/states.tsx';

const Sources = lazy(async () => ({ default: (await import('../sources/sources.tsx')).Sources }));
const NewSource = lazy(async () => ({ default: (await import('../sources/new/new-source.tsx')).NewSource }));
const SourcePage = lazy(async () => ({ default: (await import('../sources/source/source-page.tsx')).SourcePage }));

export const Pages = (): ReactNode => (
  <Suspense fallback={<Loading />}>
    <Switch>
      <Route path="/">
        <Redirect to="/sources" replace />
      </Route>
      <Route path="/sources" component={Sources} />
      <Route path="/sources/new" component={NewSource} />
      <Route path="/sources/:id/:tab?">{({ id, tab }) => <SourcePage key={id} id={id} tab={tab ?? 'events'} />}</Route>
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
