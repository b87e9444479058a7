// Finds a webhook's lane: it has one, but while partitions take in a changed url one after the other it may have two.

interface Found {
  readonly webhookId: string;
  readonly url: string;
}

const keyOf = (webhookId: string, url: string): string => `${webhookId} ${url}`;

export class LaneMap<L extends Found> {
  /** By webhook id. */
  readonly #lanes = new Map<string, L>();
  /** By webhook id and url: those whose webhook has a lane for another url as well. */
  readonly #others = new Map<string, L>();

  get(webhookId: string, url: string): L | undefined {
    const lane = this.#lanes.get(webhookId);
    return lane?.url === url ? lane : this.#others.get(keyOf(webhookId, url));
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

  /** Removes and returns it. */
  take(webhookId: string, url: string): L | undefined {
    const lane = this.get(webhookId, url);
    if (lane === undefined) return undefined;
    if (this.#lanes.get(webhookId) === lane) this.#lanes.delete(webhookId);
    else this.#others.delete(keyOf(webhookId, url));
    return lane;
  }
}
