// Closes resources in reverse order of opening, also if opening fails half way.

interface Closable {
  close(): Promise<void>;
}

export class Closing {
  readonly #opened: Closable[] = [];

  /** Runs `open`. If it throws, closes what it has added and rethrows the error. */
  static async onFailure<T>(open: (closing: Closing) => Promise<T>): Promise<T> {
    const closing = new Closing();
    try {
      return await open(closing);
    } catch (error) {
      await closing.close();
      throw error;
    }
  }

  add<T extends Closable>(opened: T): T {
    this.#opened.unshift(opened);
    return opened;
  }

  /** Closes all resources even if some throw; rethrows the first error. */
  async close(): Promise<void> {
    const errors: unknown[] = [];
    for (const opened of this.#opened.splice(0)) await opened.close().catch((error: unknown) => errors.push(error));
    if (errors.length > 0) throw errors[0];
  }
}
