// Discards all parked deliveries of a subscription.
import type { ReactNode } from 'react';
import { notifications } from '@mantine/notifications';
import { post } from '../api/http.ts';
import { useChange } from '../api/record.ts';
import type { Delivery, Page } from '../api/records.ts';
import { ConfirmedButton } from '../parts/confirm.tsx';

export function DiscardParked({ subscriptionId }: { readonly subscriptionId: string }): ReactNode {
  const change = useChange(() => discardParked(subscriptionId), {
    onDone: (counts) => notifications.show({ message: resultMessage(counts), autoClose: 4_000 }),
    quiet: true,
  });
  return (
    <ConfirmedButton
      label="Discard parked"
      buttonProps={{ variant: 'default', size: 'xs' }}
      change={change}
      title="Discard all parked deliveries?"
      verb="Discard all"
    >
      They no longer count as parked. The events stay; a replay can send them again.
    </ConfirmedButton>
  );
}

interface Counts {
  readonly discarded: number;
  readonly left: number;
}

function resultMessage({ discarded, left }: Counts): string {
  const done = discarded === 1 ? '1 delivery is discarded.' : `${discarded} deliveries are discarded.`;
  return left === 0 ? done : `${done} ${left} stay: only a replay has tried them.`;
}

/** Discards page by page. */
async function discardParked(subscriptionId: string): Promise<Counts> {
  const counts = { discarded: 0, left: 0 };
  for (let after: string | null | undefined; after !== null;) {
    const path = `/v1/subscriptions/${subscriptionId}/discard_parked`;
    const page: Page<Delivery> = await post(path, { limit: 100, ...(after === undefined ? {} : { after }) });
    for (const { state } of page.data) counts[state === 'discarded' ? 'discarded' : 'left']++;
    after = page.page_info.end_cursor;
  }
  return counts;
}
