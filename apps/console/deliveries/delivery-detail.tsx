// Shows one delivery: its event, its action buttons, and each attempt.
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useNames } from '../api/names.ts';
import type { Delivery } from '../api/records.ts';
import { CopyButton } from '../parts/copy.tsx';
import { Ago } from '../parts/now.tsx';
import { Facts } from '../parts/page.tsx';
import { StateTag } from '../parts/tag.tsx';
import { Attempts } from './attempts.tsx';
import { DeliveryActions } from './delivery-actions.tsx';

export function DeliveryDetail({ delivery }: { readonly delivery: Delivery }): ReactNode {
  const { id, state, parked_reason, next_attempt_at_ms, emitter_id, event_id, subscription_id } = delivery;
  const { nameOf } = useNames([emitter_id, delivery.webhook_id]);
  return (
    <div className="card-body bare">
      <Facts
        facts={{
          State: <StateTag state={state} />,
          ...(parked_reason === null ? {} : { Because: parked_reason.replaceAll('_', ' ') }),
          ...(next_attempt_at_ms === null ? {} : { 'Next attempt': <Ago ms={next_attempt_at_ms} /> }),
          Event: <Link href={`/sources/${emitter_id}?event=${event_id}`}>Look at it</Link>,
          From: nameOf(emitter_id),
          To: <Link href={`/subscriptions/${subscription_id}`}>{nameOf(delivery.webhook_id)}</Link>,
          'webhook-id': <span className="mono">{id}</span>,
        }}
      />
      <div className="actions">
        <DeliveryActions delivery={delivery} />
        <CopyButton text={() => `${location.origin}/deliveries?delivery=${id}`}>Copy link</CopyButton>
      </div>
      <Attempts delivery={delivery} />
    </div>
  );
}
