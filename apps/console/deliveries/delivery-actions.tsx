// What can be done about a delivery that has not arrived: try it now, or give it up.
import { useState } from 'react';
import type { ReactNode } from 'react';
import { Button } from '@mantine/core';
import { post } from '../api/http.ts';
import { useChange } from '../api/record.ts';
import type { Delivery } from '../api/records.ts';
import { Confirm } from '../parts/confirm.tsx';

export function DeliveryActions({ delivery: { id, state, webhook_id } }: { readonly delivery: Delivery }): ReactNode {
  const [discarding, setDiscarding] = useState(false);
  const retry = useChange(() => post(`/v1/deliveries/${id}/retry`), { done: 'It is tried now.' });
  const discard = useChange(() => post(`/v1/deliveries/${id}/discard`), {
    done: 'The delivery is discarded.',
    onDone: () => setDiscarding(false),
    quiet: true,
  });
  const isOpen = (state === 'failing' || state === 'parked') && webhook_id.startsWith('wh_');
  if (!isOpen) return null;
  return (
    <>
      <Button size="xs" loading={retry.isPending} onClick={() => retry.mutate()}>
        Retry now
      </Button>
      <Button size="xs" variant="default" onClick={() => setDiscarding(true)}>
        Discard
      </Button>
      <Confirm
        opened={discarding}
        title="Give this delivery up?"
        verb="Discard delivery"
        isPending={discard.isPending}
        error={discard.error}
        onConfirm={() => discard.mutate()}
        onClose={() => setDiscarding(false)}
      >
        It is not tried any more, and what waits behind it continues. The event stays; a replay can send it again.
      </Confirm>
    </>
  );
}
