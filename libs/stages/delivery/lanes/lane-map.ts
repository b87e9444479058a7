// Finds a webhook's lane. A webhook has one, or two while the partitions learn of a changed url one after the other.

interface LaneIdentity {
  readonly webhookId: string;
  readonly url: string;
}

const keyOf = (webhookId: string, url: string): string => `${webhookId} ${url}`;

export class LaneMap<L extends LaneIdentity> {
  /** By webhook id. */
  readonly #lanes = new Map<string, L>();
  /** By webhook id and url: further lanes, of webhooks that also have one for another url. */
  readonly #others = new Map<string, L>();

  get(webhookId: string, url: string): L | undefined {
    const lane = this.#lanes.get(webhookId);
    return lane?.url === url ? lane : this.#others.get(keyOf(webhookId, url));
  }

  /** A lane of the webhook, whatever its url. */
  anyOf(webhookId: string): L | undefined {
    const lane = this.#lanes.get(webhookId);
    if (lane !== undefined) return lane;
    for (const other of this.#others.values()) if (other.webhookId === webhookId) return other;
    return undefined;
  }

  *values(): Generator<L> {
    yield* this.#lanes.values();
    yield* this.#others.values();
  }

  set(lane: L): void {
    const { webhookId, url } = lane;
    if (this.#lanes.has(webhookId)) this.#others.set(keyOf(webhookId, url), lane);
    else this.#lanes.set(webhookId, lane);
  }

  /** Removes and returns the lane. */
  remove(webhookId: string, url: string): L | undefined {
    const lane = this.get(webhookId, url);
    if (lane === undefined) return undefined;
    if (this.#lanes.get(webhookId) === lane) this.#lanes.delete(webhookId);
    else this.#others.delete(keyOf(webhookId, url));
    return lane;
  }
}
