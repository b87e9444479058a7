// Stories that want a `kill -9` in their middle share it: to start everything again costs more than most of them do.

/** The product, as far as its end and its start go. */
interface Killable {
  kill(): Promise<void>;
  start(): Promise<void>;
}

/** What a story does right before a kill, at once with the others: the kill falls into what comes of it. */
type LastAct = () => Promise<unknown>;
/** Yields where the product is to be killed, and goes on when it has started again. */
type Story = () => AsyncGenerator<LastAct, void>;

interface Crossing {
  readonly name: string;
  readonly parts: AsyncGenerator<LastAct, void>;
}

/** All stories of a file together: its kills, and the starts after them. */
const withinMs = 300_000;

export class SharedKills {
  readonly #product: () => Killable;
  readonly #stories = new Map<string, Story>();
  #failures: Promise<ReadonlyMap<string, unknown>> | undefined;

  constructor(product: () => Killable) {
    this.#product = product;
  }

  /** A test of its own by its name; between kills it takes turns with the others of this file. */
  test(name: string, story: Story): void {
    this.#stories.set(name, story);
    test(
      name,
      async () => {
        const failures = await (this.#failures ??= this.#play());
        if (failures.has(name)) throw failures.get(name);
      },
      withinMs,
    );
  }

  /** Gives what made stories fail. */
  async #play(): Promise<ReadonlyMap<string, unknown>> {
    const failures = new Map<string, unknown>();
    const tried = async <T>(name: string, work: () => Promise<T>): Promise<T | undefined> => {
      try {
        return await work();
      } catch (error) {
        failures.set(name, error);
        return undefined;
      }
    };
    let crossings: Crossing[] = [...this.#stories].map(([name, story]) => ({ name, parts: story() }));
    for (;;) {
      const lastActs: { readonly crossing: Crossing; readonly act: LastAct }[] = [];
      for (const crossing of crossings) {
        const reached = await tried(crossing.name, () => crossing.parts.next());
        if (reached?.done === false) lastActs.push({ crossing, act: reached.value });
      }
      await Promise.all(lastActs.map(({ crossing, act }) => tried(crossing.name, act)));
      crossings = lastActs.map(({ crossing }) => crossing).filter(({ name }) => !failures.has(name));
      if (crossings.length === 0) return failures;
      await this.#product().kill();
      await this.#product().start();
    }
  }
}

/** For a story that only waits for the kill. */
export const nothing: LastAct = async () => undefined;
