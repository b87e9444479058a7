// One delivery: its event, and each attempt with the answer and the time it took.
import type { ReactNode } from 'react';
import { Progress } from '@mantine/core';
import { Link } from 'wouter';
import type { Delivery } from '../../../api/records.ts';
import { duration, exact } from '../../../parts/format.ts';
import { Ago } from '../../../parts/now.tsx';
import { Facts } from '../../../parts/page.tsx';
import { StateTag, Tag } from '../../../parts/tag.tsx';

export const DeliveryDetail = ({ delivery }: { readonly delivery: Delivery }): ReactNode => (
  <div className="card-body bare">
    <Facts
      facts={{
        State: <StateTag state={delivery.state} />,
        ...(delivery.parked_reason === null ? {} : { Because: delivery.parked_reason.replaceAll('_', ' ') }),
        ...(delivery.next_attempt_at_ms === null ? {} : { 'Next attempt': <Ago ms={delivery.next_attempt_at_ms} /> }),
        Event: <Link href={`/sources/${delivery.emitter_id}?event=${delivery.event_id}`}>Look at it</Link>,
        'webhook-id': <span className="mono">{delivery.id}</span>,
      }}
    />
    <Attempts delivery={delivery} />
  </div>
);

function Attempts({ delivery }: { readonly delivery: Delivery }): ReactNode {
  const longestMs = Math.max(1, ...delivery.attempts.map(({ duration_ms }) => duration_ms));
  return (
    <section>
      <h2>Attempts</h2>
      <ol className="attempts">
        {delivery.attempts.toReversed().map((attempt) => (
          <li key={`${attempt.replay_id} ${attempt.attempt}`}>
            <div className="actions">
              <span className={`tag ${attempt.outcome === 'delivered' ? 'good' : 'bad'}`}>
                {attempt.status ?? attempt.failure ?? attempt.outcome}
              </span>
              <span className="small">Attempt {attempt.attempt}</span>
              {attempt.replay_id === null ? null : <Tag tone="accent">replay</Tag>}
              <span className="dim small">{exact(attempt.started_at_ms)}</span>
            </div>
            <div className="timing">
              <Progress
                size="sm"
                color={attempt.outcome === 'delivered' ? 'well' : 'red'}
                value={(attempt.duration_ms / longestMs) * 100}
                aria-label="Time it took, beside the longest"
              />
              <span className="dim small">{duration(attempt.duration_ms)}</span>
            </div>
            {attempt.message === null ? null : <p className="small bad-text">{attempt.message}</p>}
            {attempt.answer === null || attempt.answer === '' ? null : (
              <pre className="pre" tabIndex={0} aria-label="Answer">
                {attempt.answer}
              </pre>
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}
