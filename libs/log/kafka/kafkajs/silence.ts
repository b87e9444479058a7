// Remembers which addresses did not answer this process, so that the next connection tries the others first.
// kafkajs keeps asking the first broker of its list alone, as long as that one accepts connections.

/**
 * Longer than answers take, except for long polls and joining a group. An address wrongly taken for silent is only
 * tried last.
 */
const silentAfterMs = 2_000;
/** A broker that hangs is fenced and replaced within seconds; after this time it may be tried again. */
const rememberedMs = 30_000;

/** When each `host:port` was last silent; at most one entry for each broker. */
const silences = new Map<string, number>();

/** Watches whether the last request of one connection was answered. */
export class Listening {
  readonly #address: string;
  #askedAt: number | undefined = performance.now();

  /** Starts at the connection attempt, which must be answered too. */
  constructor(address: string) {
    this.#address = address;
  }

  asked(): void {
    this.#askedAt ??= performance.now();
  }

  heard(): void {
    this.#askedAt = undefined;
  }

  /** The connection has ended: its address is remembered if an answer was long overdue. */
  end(): void {
    const now = performance.now();
    if (this.#askedAt !== undefined && now - this.#askedAt > silentAfterMs) silences.set(this.#address, now);
  }
}

/** The addresses in their order from a random start; those that were recently silent come last. */
export function answeringFirst(addresses: readonly string[]): string[] {
  const now = performance.now();
  const isSilent = (address: string): boolean => now - (silences.get(address) ?? -Infinity) < rememberedMs;
  const from = Math.floor(Math.random() * addresses.length);
  const turned = [...addresses.slice(from), ...addresses.slice(0, from)];
  return [...turned.filter((address) => !isSilent(address)), ...turned.filter(isSilent)];
}
