// Runs removals concurrently with the projection: a removal delays only the partition whose record asked for it.

export class BackgroundRemovals {
  readonly #running = new Map<string, Promise<void>>();
  #failure: { readonly error: unknown } | undefined;

  /** Begins a removal, at most one per partition at a time. `throwFailure` and the calls that wait throw its error. */
  start(partition: string, remove: () => Promise<void>): void {
    const running: Promise<void> = remove()
      .catch((error: unknown) => {
        this.#failure ??= { error };
      })
      .finally(() => {
        if (this.#running.get(partition) === running) this.#running.delete(partition);
      });
    this.#running.set(partition, running);
  }

  throwFailure(): void {
    const failure = this.#failure;
    this.#failure = undefined;
    if (failure !== undefined) throw failure.error;
  }

  /** Resolves when no removal is in progress in these partitions; by default in any. */
  async waitUntilDone(partitions: Iterable<string> = this.#running.keys()): Promise<void> {
    await Promise.all(Array.from(partitions, (partition) => this.#running.get(partition)));
    this.throwFailure();
  }

  /** Resolves when no removal is in progress, whether they succeeded or not. */
  async waitUntilEnded(): Promise<void> {
    await this.waitUntilDone().catch(() => undefined);
  }
}
