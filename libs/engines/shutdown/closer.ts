// Closes resources in reverse order of opening, also if opening fails half way.

interface Closable {
  close(): Promise<void>;
}

export class Closer {
  readonly #resources: Closable[] = [];

  /** Runs `open`. If it throws, closes what it has added and rethrows the error. */
  static async closeOnFailure<T>(open: (closer: Closer) => Promise<T>): Promise<T> {
    const closer = new Closer();
    try {
      return await open(closer);
    } catch (error) {
      await closer.close();
      throw error;
    }
  }

  add<T extends Closable>(resource: T): T {
    this.#resources.unshift(resource);
    return resource;
  }

  /** Closes all resources even if some throw; rethrows the first error. */
  async close(): Promise<void> {
    const errors: unknown[] = [];
    for (const resource of this.#resources.splice(0))
      await resource.close().catch((error: unknown) => errors.push(error));
    if (errors.length > 0) throw errors[0];
  }
}
