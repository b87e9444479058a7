// Derives from records what needs attention: the worst first, then the latest.
import type { Health, Source, SubscriptionDetail, Webhook } from '../api/records.ts';
import { counted, isolated } from '../parts/format.ts';
import { pageOf } from '../parts/links/page-of.ts';

export interface Concern {
  readonly what: string;
  readonly why: string;
  readonly tone: 'bad' | 'warn';
  /** The page with the details; undefined: there is none. */
  readonly href: string | undefined;
  readonly atMs: number | undefined;
}

/** An older error no longer needs attention. */
const freshErrorMs = 24 * 3_600_000;

export const inOrder = (concerns: readonly Concern[]): readonly Concern[] =>
  concerns.toSorted((a, b) => Number(b.tone === 'bad') - Number(a.tone === 'bad') || (b.atMs ?? 0) - (a.atMs ?? 0));

export const ofHealth = ({ alerts = [] }: Health): readonly Concern[] =>
  alerts.map(({ code, subject, message, since_ms }) => ({
    what: `${code.replaceAll('_', ' ')}: ${subject}`,
    why: message,
    tone: 'bad',
    href: pageOf(subject),
    atMs: since_ms,
  }));

export function ofSource({ id, name, last_error }: Source, nowMs: number): readonly Concern[] {
  if (last_error === null || nowMs - last_error.at_ms > freshErrorMs) return [];
  const href = `/sources/${id}/logs?run=${last_error.run_id}`;
  return [
    {
      what: `A run of ${isolated(name ?? id)} failed`,
      why: last_error.message,
      tone: 'bad',
      href,
      atMs: last_error.at_ms,
    },
  ];
}

export function ofWebhook({ id, name, url, active, disabled_reason, paused_at }: Webhook): readonly Concern[] {
  if (active) return [];
  const isGone = disabled_reason !== null;
  return [
    {
      what: `${isolated(name ?? url)} is ${isGone ? 'disabled' : 'paused'}`,
      why: isGone ? 'Its receiver answered 410: nothing more is sent to it.' : 'Its events wait until it is resumed.',
      tone: isGone ? 'bad' : 'warn',
      href: `/webhooks/${id}`,
      atMs: paused_at === null ? undefined : paused_at * 1_000,
    },
  ];
}

/** For all subscriptions together. */
export function ofDeliveries({ parked, failing }: Readonly<Record<'parked' | 'failing', number>>): readonly Concern[] {
  const all: readonly (Concern & { readonly count: number })[] = [
    {
      count: parked,
      what: `${counted(parked, 'event')} parked, of all subscriptions`,
      why: 'They failed at their last retry, and can be replayed once the receiver is mended.',
      tone: 'bad',
      href: '/parked',
      atMs: undefined,
    },
    {
      count: failing,
      what: `${counted(failing, 'event')} waiting for a retry, of all subscriptions`,
      why: 'Their last attempt failed.',
      tone: 'warn',
      href: '/deliveries?state=failing',
      atMs: undefined,
    },
  ];
  return all.filter(({ count }) => count > 0).map(({ count: _, ...concern }) => concern);
}

/** `listed`: how many parked deliveries are still kept, if known. The counter includes those that no longer are. */
export function ofSubscription(
  { id, state, counters, positions }: SubscriptionDetail,
  title: string,
  listed = Infinity,
): readonly Concern[] {
  const parked = Math.min(counters.parked, listed);
  const atMs = Math.max(0, ...positions.map(({ last_error }) => last_error?.at_ms ?? 0)) || undefined;
  const concerns: Concern[] = [];
  if (state === 'blocked')
    concerns.push({
      what: `${title} waits for a retry`,
      why: `${counters.pending} under way; later events wait behind.`,
      tone: 'warn',
      href: `/subscriptions/${id}?state=failing`,
      atMs,
    });
  if (parked > 0)
    concerns.push({
      what: `${title}: ${parked} parked`,
      why: 'They failed at their last retry, and can be replayed once the receiver is mended.',
      tone: 'bad',
      href: `/subscriptions/${id}?state=parked`,
      atMs,
    });
  return concerns;
}
