// Which subscriptions' alerts were asked for a moment ago, in an append: asking for them again would gain nothing.

/** Lifecycle reports each alert once, and as many may be live at once: asking for more, or more often, gains nothing. */
const askedMax = 1_000;
const repeatMs = 60_000;

/** Of one code. */
export class AskedAlerts {
  /** When the alert of each subscription was asked for, the one asked for longest ago first. */
  readonly #asked = new Map<string, number>();

  /** Whether to ask for the subscription's alert now, which is noted: not when that was done a moment ago. */
  asksNow(subscriptionId: string): boolean {
    const now = performance.now();
    const [oldest] = this.#asked;
    if (oldest !== undefined && now - oldest[1] >= repeatMs) this.#asked.delete(oldest[0]);
    if (now - (this.#asked.get(subscriptionId) ?? -Infinity) < repeatMs || this.#asked.size >= askedMax) return false;
    this.#asked.delete(subscriptionId);
    this.#asked.set(subscriptionId, now);
    return true;
  }
}
