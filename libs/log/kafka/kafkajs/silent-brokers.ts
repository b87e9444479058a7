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
const lastSilentAt = new Map<string, number>();

/** Watches whether the last request of one connection was answered. */
export class ResponseWatch {
  readonly #address: string;
  #pendingSince: number | undefined = performance.now();

  /** Starts at the connection attempt, which must be answered too. */
  constructor(address: string) {
    this.#address = address;
  }

  markRequest(): void {
    this.#pendingSince ??= performance.now();
  }

  markResponse(): void {
    this.#pendingSince = undefined;
  }

  /** The connection has ended: its address is remembered if an answer was long overdue. */
  end(): void {
    const now = performance.now();
    if (this.#pendingSince !== undefined && now - this.#pendingSince > silentAfterMs)
      lastSilentAt.set(this.#address, now);
  }
}

/** The addresses in their order from a random start; those that were recently silent come last. */
export function responsiveFirst(addresses: readonly string[]): string[] {
  const now = performance.now();
  const isSilent = (address: string): boolean => now - (lastSilentAt.get(address) ?? -Infinity) < rememberedMs;
  const from = Math.floor(Math.random() * addresses.length);
  const rotated = [...addresses.slice(from), ...addresses.slice(0, from)];
  return [...rotated.filter((address) => !isSilent(address)), ...rotated.filter(isSilent)];
}
