// Which addresses have left somebody of this process without an answer: whoever connects next begins with the others.
// kafkajs asks the first broker of its list alone, again and again, as long as that one accepts connections.

/**
 * Longer than answers take, but for long polls and for joining a group. Whoever is wrongly taken for silent is only tried
 * last.
 */
const silentAfterMs = 2_000;
/** A broker that stands still is fenced and followed by others within seconds; then it may be tried again. */
const rememberedMs = 30_000;

/** By `host:port`, when it was silent; as many as there are brokers. */
const silences = new Map<string, number>();

/** One connection's requests: whether the last of them was answered. */
export class Listening {
  readonly #address: string;
  #askedAt: number | undefined = performance.now();

  /** It is being connected to, which is to be answered too. */
  constructor(address: string) {
    this.#address = address;
  }

  asked(): void {
    this.#askedAt ??= performance.now();
  }

  heard(): void {
    this.#askedAt = undefined;
  }

  /** It is given up: one that owes an answer for long is remembered. */
  end(): void {
    const now = performance.now();
    if (this.#askedAt !== undefined && now - this.#askedAt > silentAfterMs) silences.set(this.#address, now);
  }
}

/** From any of them on, in their order; those that were silent of late come last. */
export function talkativeFirst(addresses: readonly string[]): string[] {
  const now = performance.now();
  const isSilent = (address: string): boolean => now - (silences.get(address) ?? -Infinity) < rememberedMs;
  const from = Math.floor(Math.random() * addresses.length);
  const turned = [...addresses.slice(from), ...addresses.slice(0, from)];
  return [...turned.filter((address) => !isSilent(address)), ...turned.filter(isSilent)];
}
