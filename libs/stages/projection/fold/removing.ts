// Removals that run beside the projection: only the partition whose record asked for one waits for it.

export class Removing {
  readonly #running = new Map<string, Promise<void>>();
  #failure: { readonly error: unknown } | undefined;

  /** One of a partition at a time. What it fails with is thrown by `check`, and by who waits. */
  begin(partition: string, remove: () => Promise<void>): void {
    const running = remove()
      .catch((error: unknown) => {
        this.#failure ??= { error };
      })
      .finally(() => this.#running.delete(partition));
    this.#running.set(partition, running);
  }

  check(): void {
    const failure = this.#failure;
    this.#failure = undefined;
    if (failure !== undefined) throw failure.error;
  }

  /** Resolves when none is under way, or none of these partitions. */
  async settled(partitions: Iterable<string> = this.#running.keys()): Promise<void> {
    await Promise.all(Array.from(partitions, (partition) => this.#running.get(partition)));
    this.check();
  }

  /** When none is under way, whatever became of them. */
  async ended(): Promise<void> {
    await this.settled().catch(() => undefined);
  }
}
