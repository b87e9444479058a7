// Lets stories that need a `kill -9` in their middle share it, because a restart costs more than most stories.

/** The part of the product that can be killed and started. */
interface Killable {
  kill(): Promise<void>;
  start(): Promise<void>;
}

/** A story's last act before a kill, at the same time as those of others: the kill interrupts its consequences. */
type ActBeforeKill = () => Promise<unknown>;
/** Yields where the product is to be killed, and continues after its restart. */
type Story = () => AsyncGenerator<ActBeforeKill, void>;

interface RunningStory {
  readonly name: string;
  readonly parts: AsyncGenerator<ActBeforeKill, void>;
}

/** For all stories of a file together, with their kills and restarts. */
const timeoutMs = 300_000;

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
        const failures = await (this.#failures ??= this.#runStories());
        if (failures.has(name)) throw failures.get(name);
      },
      timeoutMs,
    );
  }

  /** Plays all stories; returns the errors of those that failed. */
  async #runStories(): Promise<ReadonlyMap<string, unknown>> {
    const failures = new Map<string, unknown>();
    const attempt = async <T>(name: string, work: () => Promise<T>): Promise<T | undefined> => {
      try {
        return await work();
      } catch (error) {
        failures.set(name, error);
        return undefined;
      }
    };
    let running: RunningStory[] = [...this.#stories].map(([name, story]) => ({ name, parts: story() }));
    for (;;) {
      const actsBeforeKill: { readonly story: RunningStory; readonly act: ActBeforeKill }[] = [];
      for (const story of running) {
        const reached = await attempt(story.name, () => story.parts.next());
        if (reached?.done === false) actsBeforeKill.push({ story, act: reached.value });
      }
      await Promise.all(actsBeforeKill.map(({ story, act }) => attempt(story.name, act)));
      running = actsBeforeKill.map(({ story }) => story).filter(({ name }) => !failures.has(name));
      if (running.length === 0) return failures;
      await this.#product().kill();
      await this.#product().start();
    }
  }
}

/** The last act of a story that only waits for the kill. */
export const onlyWaitForKill: ActBeforeKill = async () => undefined;
