// A stream's client for tests: reads messages as they arrive.

export interface Message {
  readonly id: string;
  readonly data: unknown;
}

export interface StreamOptions {
  readonly apiKey: string;
  readonly lastEventId?: string;
}

/** A test fails when its stream is quiet for this long. */
const waitMs = 15_000;

export class EventStream {
  readonly status: number;
  readonly comments: string[] = [];
  readonly #body: ReadableStreamDefaultReader<string> | undefined;
  readonly #abort: AbortController;
  readonly #messages: Message[] = [];
  #partial = '';

  private constructor(response: Response, abort: AbortController) {
    this.status = response.status;
    this.#abort = abort;
    this.#body = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  }

  static async open(url: string, { apiKey, lastEventId }: StreamOptions): Promise<EventStream> {
    const abort = new AbortController();
    const resume = lastEventId === undefined ? {} : { 'last-event-id': lastEventId };
    const headers = { authorization: `Bearer ${apiKey}`, ...resume };
    return new EventStream(await fetch(url, { headers, signal: abort.signal }), abort);
  }

  /** Undefined: either side has ended the stream. */
  async next(): Promise<Message | undefined> {
    while (this.#messages.length === 0) if (!(await this.#read())) return undefined;
    return this.#messages.shift();
  }

  async take(count: number): Promise<readonly Message[]> {
    const taken: Message[] = [];
    while (taken.length < count) {
      const message = await this.next();
      if (message === undefined) throw new Error(`the stream ended after ${taken.length} of ${count} records`);
      taken.push(message);
    }
    return taken;
  }

  /** Waits for a comment, which is everything that is not a record. */
  async untilComment(pattern: RegExp): Promise<string> {
    for (;;) {
      const found = this.comments.find((comment) => pattern.test(comment));
      if (found !== undefined) return found;
      if (!(await this.#read())) throw new Error(`the stream ended without the comment ${pattern}`);
    }
  }

  close(): void {
    this.#abort.abort();
  }

  /** False: the stream has ended. */
  async #read(): Promise<boolean> {
    const timeout = Promise.withResolvers<never>();
    const timer = setTimeout(() => timeout.reject(new Error(`the stream brought nothing for ${waitMs} ms`)), waitMs);
    try {
      const read = await Promise.race([this.#body?.read().catch(() => undefined), timeout.promise]);
      if (read === undefined || read.done) return false;
      this.#parse(this.#partial + read.value);
      return true;
    } finally {
      clearTimeout(timer);
    }
  }

  #parse(text: string): void {
    const blocks = text.split('\n\n');
    this.#partial = blocks.pop() ?? '';
    for (const block of blocks) {
      const lines = block.split('\n');
      const field = (name: string): string | undefined =>
        lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2);
      const [id, data] = [field('id'), field('data')];
      if (id !== undefined && data !== undefined) this.#messages.push({ id, data: JSON.parse(data) });
      this.comments.push(...lines.filter((line) => line.startsWith(':')));
    }
  }
}
