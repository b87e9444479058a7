// The buttons for a delivery that has not arrived: try it now, or give it up.
import type { ReactNode } from 'react';
import { Button } from '@mantine/core';
import { post } from '../api/http.ts';
import { useChange } from '../api/record.ts';
import type { Delivery } from '../api/records.ts';
import { ConfirmedButton } from '../parts/confirm.tsx';

export function DeliveryActions({ delivery: { id, state, webhook_id } }: { readonly delivery: Delivery }): ReactNode {
  const retry = useChange(() => post(`/v1/deliveries/${id}/retry`), { doneMessage: 'It is tried now.' });
  const discard = useChange(() => post(`/v1/deliveries/${id}/discard`), {
    doneMessage: 'The delivery is discarded.',
    quiet: true,
  });
  const isOpen = (state === 'failing' || state === 'parked') && webhook_id.startsWith('wh_');
  if (!isOpen) return null;
  return (
    <>
      <Button size="xs" loading={retry.isPending} onClick={() => retry.mutate()}>
        Retry now
      </Button>
      <ConfirmedButton
        label="Discard"
        buttonProps={{ variant: 'default', size: 'xs' }}
        change={discard}
        title="Discard this delivery?"
        verb="Discard delivery"
      >
        It is not tried any more, and what waits behind it continues. The event stays; a replay can send it again.
      </ConfirmedButton>
    </>
  );
}
