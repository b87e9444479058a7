// Remembers for which subscriptions an alert was requested recently, so that it is not requested again.

/** Lifecycle reports each alert once, and this many can be live at once: more or repeated requests have no effect. */
const askedMax = 1_000;
const repeatMs = 60_000;

/** The requested alerts of one code. */
export class AskedAlerts {
  /** When the alert of each subscription was requested, the oldest first. */
  readonly #asked = new Map<string, number>();

  /** Whether to request the subscription's alert now: not if it was requested recently. Notes the request. */
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
