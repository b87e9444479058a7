// Remembers for which subscriptions an alert was requested recently, so that it is not requested again.

/** Lifecycle reports each alert once, and this many can be live at once: more or repeated requests have no effect. */
const rememberedMax = 1_000;
const repeatMs = 60_000;

/** The requested alerts of one code. */
export class AlertThrottle {
  /** When the alert of each subscription was requested, the oldest first. */
  readonly #requestedAt = new Map<string, number>();

  /** Whether to request the subscription's alert now: not if it was requested recently. Notes the request. */
  shouldRequest(subscriptionId: string): boolean {
    const now = performance.now();
    const [oldest] = this.#requestedAt;
    if (oldest !== undefined && now - oldest[1] >= repeatMs) this.#requestedAt.delete(oldest[0]);
    if (
      now - (this.#requestedAt.get(subscriptionId) ?? -Infinity) < repeatMs ||
      this.#requestedAt.size >= rememberedMax
    )
      return false;
    this.#requestedAt.delete(subscriptionId);
    this.#requestedAt.set(subscriptionId, now);
    return true;
  }
}
