// Asks the service regularly, while the page is shown, for everything that could need attention.
import { useState } from 'react';
import { useQueries } from '@tanstack/react-query';
import { serviceNowMs } from '../api/clock/service-clock.ts';
import { useHealth } from '../api/health.ts';
import { get, getPage } from '../api/http.ts';
import { useNames } from '../api/names.ts';
import { useList } from '../api/paging.ts';
import type { PagedList } from '../api/paging.ts';
import type { Delivery, Subscription, SubscriptionDetail } from '../api/records.ts';
import { fromTo } from '../parts/format.ts';
import {
  sortConcerns,
  deliveryConcerns,
  healthConcerns,
  sourceConcerns,
  subscriptionConcerns,
  webhookConcerns,
} from './concerns.ts';
import type { Concern } from './concerns.ts';

/** Only so many of the newest subscriptions are examined, because each costs a request. */
const subscriptionsMax = 20;
const refetchMs = 15_000;

interface Attention {
  readonly concerns: readonly Concern[];
  /** True only at first: what is loaded later is added to what is shown. */
  readonly isLoading: boolean;
  readonly error: unknown;
  /** False: only the newest of the sources and webhooks were examined. */
  readonly isListComplete: boolean;
}

export function useAttention(): Attention {
  const health = useHealth();
  const list = useList<Subscription>('/v1/subscriptions', { query: { limit: subscriptionsMax }, refetchMs });
  const { sources, webhooks, nameOf, isListComplete, ...names } = useNames(
    list.items.flatMap(({ emitter_id, listener_id }) => [emitter_id, listener_id]),
  );
  // For more subscriptions, it only counts the parked and the failing deliveries of the workspace.
  const hasOthers = (list.total ?? 0) > subscriptionsMax;
  const parked = useCount('parked', hasOthers);
  const failing = useCount('failing', hasOthers);
  const details = useQueries({
    queries: list.items.slice(0, subscriptionsMax).map(({ id }) => ({
      queryKey: ['record', `/v1/subscriptions/${id}`],
      queryFn: async () => (await get<{ readonly data: SubscriptionDetail }>(`/v1/subscriptions/${id}`)).data,
      refetchInterval: refetchMs,
    })),
  });
  const nowMs = serviceNowMs();
  const subscriptions = details.flatMap(({ data }) => (data === undefined ? [] : [data]));
  const { parkedCounts, isLoadingCounts } = useParkedCounts(
    subscriptions.filter(({ counters }) => counters.parked > 0),
  );
  const titleOf = (subscription: SubscriptionDetail): string =>
    fromTo(nameOf(subscription.emitter_id), nameOf(subscription.listener_id));
  const concerns = sortConcerns([
    ...(health.data === undefined ? [] : healthConcerns(health.data)),
    ...sources.flatMap((source) => sourceConcerns(source, nowMs)),
    ...webhooks.flatMap(webhookConcerns),
    ...subscriptions.flatMap((subscription) =>
      subscriptionConcerns(subscription, titleOf(subscription), parkedCounts.get(subscription.id)),
    ),
    ...deliveryConcerns({ parked: parked.total ?? 0, failing: failing.total ?? 0 }),
  ]);
  const isCounting = hasOthers && (parked.isLoading || failing.isLoading);
  const isPending =
    health.isPending ||
    list.isLoading ||
    names.isLoading ||
    isCounting ||
    isLoadingCounts ||
    details.some((one) => one.isPending);
  const [hasLoaded, setLoaded] = useState(false);
  if (!isPending && !hasLoaded) setLoaded(true);
  const error = list.error ?? names.error ?? parked.error ?? failing.error;
  return { concerns, isLoading: isPending && !hasLoaded, error, isListComplete };
}

interface ParkedCounts {
  /** How many parked deliveries each still lists, by the subscription's id. */
  readonly parkedCounts: ReadonlyMap<string, number | undefined>;
  readonly isLoadingCounts: boolean;
}

function useParkedCounts(subscriptions: readonly SubscriptionDetail[]): ParkedCounts {
  const pages = useQueries({
    queries: subscriptions.map(({ id }) => ({
      queryKey: ['parked', id],
      queryFn: () => getPage<Delivery>(`/v1/subscriptions/${id}/deliveries`, { query: { state: 'parked', limit: 1 } }),
      refetchInterval: refetchMs,
    })),
  });
  return {
    parkedCounts: new Map(subscriptions.map(({ id }, at) => [id, pages[at]?.data?.page_info.total_count])),
    isLoadingCounts: pages.some(({ isPending }) => isPending),
  };
}

const useCount = (state: 'parked' | 'failing', enabled: boolean): PagedList<unknown> =>
  useList('/v1/deliveries', { query: { limit: 1, state }, refetchMs, enabled });
