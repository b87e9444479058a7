// A log that holds back a topic from one of its followers, for as long as a test wants.
import type { TopicName } from '../../domain/flow.ts';
import { MemoryLog } from '../../log/log.fake.ts';
import type { Page, PageBounds, Position, Tail } from '../../log/log.ts';

interface LateTopic {
  readonly topic: TopicName;
  /** Whoever follows this topic gets `topic` late. */
  readonly followedTopic: TopicName;
}

export class LateLog extends MemoryLog {
  readonly #late: LateTopic;
  readonly #heldPages: Page[] = [];
  isLate = false;

  constructor(late: LateTopic) {
    super({ partitions: 2 });
    this.#late = late;
  }

  override tail(from: readonly Position[], bounds: PageBounds): Tail {
    const tail = super.tail(from, bounds);
    const { topic: lateTopic, followedTopic } = this.#late;
    if (!from.some(({ topic }) => topic === followedTopic)) return tail;
    const next = tail.next.bind(tail);
    tail.next = async (waitMs) => {
      const pages = await next(waitMs);
      if (!this.isLate) return [...this.#heldPages.splice(0), ...pages];
      this.#heldPages.push(...pages.filter(({ topic }) => topic === lateTopic));
      return pages.filter(({ topic }) => topic !== lateTopic);
    };
    return tail;
  }

  get heldCount(): number {
    return this.#heldPages.length;
  }
}
