// Derives from records what needs attention: the worst first, then the latest.
import type { Health, Source, SubscriptionDetail, Webhook } from '../api/records.ts';
import { pluralize, isolateBidi } from '../parts/format.ts';
import { pageOf } from '../parts/links/page-of.ts';

export interface Concern {
  readonly title: string;
  readonly reason: string;
  readonly tone: 'bad' | 'warn';
  /** The page with the details; undefined: there is none. */
  readonly href: string | undefined;
  readonly atMs: number | undefined;
}

/** An older error no longer needs attention. */
const freshErrorMs = 24 * 3_600_000;

export const sortConcerns = (concerns: readonly Concern[]): readonly Concern[] =>
  concerns.toSorted((a, b) => Number(b.tone === 'bad') - Number(a.tone === 'bad') || (b.atMs ?? 0) - (a.atMs ?? 0));

export const healthConcerns = ({ alerts = [] }: Health): readonly Concern[] =>
  alerts.map(({ code, subject, message, since_ms }) => ({
    title: `${code.replaceAll('_', ' ')}: ${subject}`,
    reason: message,
    tone: 'bad',
    href: pageOf(subject),
    atMs: since_ms,
  }));

export function sourceConcerns({ id, name, last_error }: Source, nowMs: number): readonly Concern[] {
  if (last_error === null || nowMs - last_error.at_ms > freshErrorMs) return [];
  const href = `/sources/${id}/logs?run=${last_error.run_id}`;
  return [
    {
      title: `A run of ${isolateBidi(name ?? id)} failed`,
      reason: last_error.message,
      tone: 'bad',
      href,
      atMs: last_error.at_ms,
    },
  ];
}

export function webhookConcerns({ id, name, url, active, disabled_reason, paused_at }: Webhook): readonly Concern[] {
  if (active) return [];
  const isDisabled = disabled_reason !== null;
  return [
    {
      title: `${isolateBidi(name ?? url)} is ${isDisabled ? 'disabled' : 'paused'}`,
      reason: isDisabled
        ? 'Its receiver answered 410: nothing more is sent to it.'
        : 'Its events wait until it is resumed.',
      tone: isDisabled ? 'bad' : 'warn',
      href: `/webhooks/${id}`,
      atMs: paused_at === null ? undefined : paused_at * 1_000,
    },
  ];
}

/** For all subscriptions together. */
export function deliveryConcerns({
  parked,
  failing,
}: Readonly<Record<'parked' | 'failing', number>>): readonly Concern[] {
  const all: readonly (Concern & { readonly count: number })[] = [
    {
      count: parked,
      title: `${pluralize(parked, 'event')} parked, of all subscriptions`,
      reason: 'They failed at their last retry, and can be replayed once the receiver is mended.',
      tone: 'bad',
      href: '/parked',
      atMs: undefined,
    },
    {
      count: failing,
      title: `${pluralize(failing, 'event')} waiting for a retry, of all subscriptions`,
      reason: 'Their last attempt failed.',
      tone: 'warn',
      href: '/deliveries?state=failing',
      atMs: undefined,
    },
  ];
  return all.filter(({ count }) => count > 0).map(({ count: _, ...concern }) => concern);
}

/** `listedCount`: how many parked deliveries are still kept, if known. The counter includes those that no longer are. */
export function subscriptionConcerns(
  { id, state, counters, positions }: SubscriptionDetail,
  title: string,
  listedCount = Infinity,
): readonly Concern[] {
  const parked = Math.min(counters.parked, listedCount);
  const atMs = Math.max(0, ...positions.map(({ last_error }) => last_error?.at_ms ?? 0)) || undefined;
  const concerns: Concern[] = [];
  if (state === 'blocked')
    concerns.push({
      title: `${title} waits for a retry`,
      reason: `${counters.pending} under way; later events wait behind.`,
      tone: 'warn',
      href: `/subscriptions/${id}?state=failing`,
      atMs,
    });
  if (parked > 0)
    concerns.push({
      title: `${title}: ${parked} parked`,
      reason: 'They failed at their last retry, and can be replayed once the receiver is mended.',
      tone: 'bad',
      href: `/subscriptions/${id}?state=parked`,
      atMs,
    });
  return concerns;
}
