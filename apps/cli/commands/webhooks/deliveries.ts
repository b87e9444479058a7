// Deliveries for people, and those of a webhook out of all its subscriptions.
import type { Client, Delivery } from '../../../../libs/client/index.ts';
import { paintState } from '../../output/show-source.ts';
import type { Style } from '../../output/style.ts';
import type { Column } from '../../output/table.ts';
import { duration, localTime } from '../../output/times.ts';
import { all, newest } from '../../records/pages.ts';

export const deliveryStates: readonly Delivery['state'][] = ['delivered', 'failing', 'parked', 'discarded'];

export interface DeliveriesOptions {
  readonly number: number;
  readonly state?: Delivery['state'];
}

/** The newest of all its subscriptions, one list after the other: the API has deliveries by subscription. */
export async function deliveriesTo(
  client: Client,
  webhookId: string,
  { number, state }: DeliveriesOptions,
): Promise<readonly Delivery[]> {
  const filter = state === undefined ? {} : { state };
  let found: readonly Delivery[] = [];
  for await (const { id, listener_id } of all((paging) => client.subscriptions(paging))) {
    if (listener_id !== webhookId) continue;
    const { records } = await newest((paging) => client.deliveries(id, { ...filter, ...paging }), number);
    found = [...found, ...records].sort((a, b) => b.updated_at_ms - a.updated_at_ms).slice(0, number);
  }
  return found;
}

export const deliveryColumns = (style: Style): readonly Column<Delivery>[] => [
  { title: 'ID', of: ({ id }) => id },
  { title: 'EVENT', of: ({ event_id }) => event_id },
  { title: 'STATE', of: ({ state }) => state, paint: (text) => paintState(text, style) },
  { title: 'ATTEMPTS', of: ({ attempt_count }) => attempt_count },
  { title: 'LAST', of: ({ updated_at_ms }) => localTime(updated_at_ms) },
  {
    title: 'TOOK',
    of: ({ attempts }) => (attempts.at(-1) === undefined ? null : duration(attempts.at(-1)?.duration_ms ?? 0)),
  },
  { title: 'ANSWER', of: answerOf },
];

/** Of the last attempt. */
function answerOf({ attempts, parked_reason }: Delivery): string {
  const last = attempts.at(-1);
  const told =
    last === undefined ? '-' : (last.message ?? (last.status === null ? (last.failure ?? '-') : String(last.status)));
  return parked_reason === null ? told : `${told} (${parked_reason})`;
}
