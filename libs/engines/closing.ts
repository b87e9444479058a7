// What was opened, closed in the reverse order: also when opening fails half way.

interface Closable {
  close(): Promise<void>;
}

export class Closing {
  readonly #opened: Closable[] = [];

  /** Runs `open`; if it throws, what it had added is closed and the error thrown on. */
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

  /** All of them, whatever one of them throws; the first of that is thrown on. */
  async close(): Promise<void> {
    const errors: unknown[] = [];
    for (const opened of this.#opened.splice(0)) await opened.close().catch((error: unknown) => errors.push(error));
    if (errors.length > 0) throw errors[0];
  }
}
