// The first page: what needs attention before anything else, and for those who begin, what to do first.
import type { ReactNode } from 'react';
import { Button } from '@mantine/core';
import { Link } from 'wouter';
import { useNames } from '../api/names.ts';
import { useList } from '../api/paging.ts';
import type { Subscription } from '../api/records.ts';
import { Ago } from '../parts/now.tsx';
import { Icon } from '../parts/icons.tsx';
import { Card, Page } from '../parts/page.tsx';
import { Empty, Failed, Loading } from '../parts/states.tsx';
import { Activity } from './activity.tsx';
import { useAttention } from './attention.ts';
import type { Concern } from './concerns.ts';

export function Overview(): ReactNode {
  const { concerns, isLoading, error } = useAttention();
  return (
    <Page title="Overview" lead="What needs attention, and what has happened.">
      <FirstSteps />
      <Card flush title="Needs attention">
        {isLoading ? <Loading rows={3} /> : null}
        {error !== null && concerns.length === 0 ? <Failed error={error} /> : null}
        {!isLoading && error === null && concerns.length === 0 ? (
          <Empty icon="check" title="Nothing needs attention">
            No alert, no failed run of the last day, nothing parked, paused or blocked.
          </Empty>
        ) : null}
        <ul className="plain-list" aria-label="Needs attention">
          {concerns.map((concern) => (
            <ConcernEntry key={`${concern.href} ${concern.what}`} concern={concern} />
          ))}
        </ul>
      </Card>
      <Activity />
    </Page>
  );
}

const ConcernEntry = ({ concern: { href, what, why, tone, atMs } }: { readonly concern: Concern }): ReactNode => (
  <li>
    <span className="actions">
      <span className={`tag plain ${tone}`}>{tone === 'bad' ? 'failure' : 'notice'}</span>
      {href === undefined ? (
        <strong>{what}</strong>
      ) : (
        <Link href={href} className="row-link">
          {what}
        </Link>
      )}
    </span>
    <span className="dim small">{atMs === undefined ? null : <Ago ms={atMs} />}</span>
    <span className="entry-sub dim small">{why}</span>
  </li>
);

/** Shown until each has been done once. */
function FirstSteps(): ReactNode {
  const { sources, webhooks, ...names } = useNames();
  const subscriptions = useList<Subscription>('/v1/subscriptions', { query: { limit: 100 } });
  const isKnown = !names.isLoading && !subscriptions.isLoading && (names.error ?? subscriptions.error) === null;
  const steps = [
    { isDone: sources.length > 0, href: '/sources/new', name: 'Write a source', text: 'A few lines that emit events.' },
    {
      isDone: webhooks.length > 0,
      href: '/webhooks/new',
      name: 'Add a webhook',
      text: 'A URL of yours that takes them.',
    },
    {
      isDone: subscriptions.items.length > 0,
      href: '/subscriptions/new',
      name: 'Subscribe it',
      text: 'From then on each event is sent, signed and with retries.',
    },
  ];
  // Who may not read them, as an auditor's key, is not told to make what may be there.
  if (!isKnown || steps.every(({ isDone }) => isDone)) return null;
  return (
    <Card title="First steps">
      <ol className="steps">
        {steps.map(({ isDone, href, name, text }) => (
          <li key={href}>
            <span className={isDone ? 'step done' : 'step'}>{isDone ? <Icon name="check" size={16} /> : null}</span>
            <span>
              <strong>{name}</strong>
              <br />
              <span className="dim small">{text}</span>
            </span>
            {isDone ? (
              <span className="dim small">Done</span>
            ) : (
              <Button component={Link} href={href} size="xs" variant="default" aria-label={`Begin: ${name}`}>
                Begin
              </Button>
            )}
          </li>
        ))}
      </ol>
    </Card>
  );
}
