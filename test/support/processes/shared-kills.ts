// Lets stories that need a `kill -9` in their middle share it, because a restart costs more than most stories.

/** The part of the product that can be killed and started. */
interface Killable {
  kill(): Promise<void>;
  start(): Promise<void>;
}

/** A story's last act before a kill, at the same time as those of others: the kill interrupts its consequences. */
type LastAct = () => Promise<unknown>;
/** Yields where the product is to be killed, and continues after its restart. */
type Story = () => AsyncGenerator<LastAct, void>;

interface Crossing {
  readonly name: string;
  readonly parts: AsyncGenerator<LastAct, void>;
}

/** For all stories of a file together, with their kills and restarts. */
const withinMs = 300_000;

export class SharedKills {
  readonly #product: () => Killable;
  readonly #stories = new Map<string, Story>();
  #failures: Promise<ReadonlyMap<string, unknown>> | undefined;

  constructor(product: () => Killable) {
    this.#product = product;
  }

  /** Defines a test for the story; between kills, the stories of a file take turns. */
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

  /** Plays all stories; returns the errors of those that failed. */
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

/** The last act of a story that only waits for the kill. */
export const nothing: LastAct = async () => undefined;
