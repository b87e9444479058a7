// The first page: what needs attention, and for new users the first steps.
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
  const { isLoading, ...attention } = useAttention();
  const steps = useFirstSteps();
  const isReady = !isLoading && steps !== undefined;
  return (
    <Page title="Overview" lead="What needs attention, and what has happened.">
      {isReady ? (
        <>
          {steps.every(({ isDone }) => isDone) ? null : <FirstSteps steps={steps} />}
          <Attention {...attention} />
        </>
      ) : (
        <Card flush>
          <Loading rows={3} />
        </Card>
      )}
      {/* Loads at the same time as the parts above, and is hidden until they are there, which would move it. */}
      <div hidden={!isReady}>
        <Activity />
      </div>
    </Page>
  );
}

const allClearText = 'No alert, no failed run of the last day, nothing parked, paused or blocked.';
const newestClearText =
  'No alert, and no delivery that fails or is parked. Of the newest 100 sources and webhooks, none has a failed run of the last day or is paused.';

const Attention = ({
  concerns,
  error,
  isListComplete,
}: Omit<ReturnType<typeof useAttention>, 'isLoading'>): ReactNode => (
  <Card flush title="Needs attention">
    {error !== null && concerns.length === 0 ? <Failed error={error} /> : null}
    {error === null && concerns.length === 0 ? (
      <Empty icon="check" title="Nothing needs attention">
        {isListComplete ? allClearText : newestClearText}
      </Empty>
    ) : null}
    <ul className="plain-list" aria-label="Needs attention">
      {concerns.map((concern) => (
        <ConcernEntry key={`${concern.href} ${concern.title}`} concern={concern} />
      ))}
    </ul>
  </Card>
);

const ConcernEntry = ({ concern: { href, title, reason, tone, atMs } }: { readonly concern: Concern }): ReactNode => (
  <li>
    <span className="actions">
      <span className={`tag plain ${tone}`}>{tone === 'bad' ? 'failure' : 'notice'}</span>
      {href === undefined ? (
        <strong>{title}</strong>
      ) : (
        <Link href={href} className="row-link">
          {title}
        </Link>
      )}
    </span>
    <span className="dim small">{atMs === undefined ? null : <Ago ms={atMs} />}</span>
    <span className="entry-sub dim small">{reason}</span>
  </li>
);

interface FirstStep {
  readonly isDone: boolean;
  readonly href: string;
  readonly name: string;
  readonly text: string;
}

/** None for a key that may not read sources, such as an auditor's. Undefined: it is not yet known which are done. */
function useFirstSteps(): readonly FirstStep[] | undefined {
  const { sources, webhooks, ...names } = useNames();
  const subscriptions = useList<Subscription>('/v1/subscriptions', { query: { limit: 100 } });
  if (names.isLoading || subscriptions.isLoading) return undefined;
  if ((names.error ?? subscriptions.error) !== null) return [];
  return [
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
}

/** Shown until every step has been done once. */
function FirstSteps({ steps }: { readonly steps: readonly FirstStep[] }): ReactNode {
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
