import { jest } from '@jest/globals';
import { outgoing, wide, requestAll } from '../../contract/harness.ts';
import { againstKafka } from '../fixture/brokers.ts';
import { createTestTopics } from '../fixture/test-topics.ts';
import { limits } from '../kafka-limits.ts';
import { KafkaNames } from '../kafka-names.ts';
import { Fetcher, type FetchBounds, type Fetched, type FetchPosition } from '../reading/fetcher.ts';
import { Follower } from '../reading/follower.ts';
import { PollerPool } from '../reading/poller-pool.ts';
import { bytesOfAll } from '../reading/raw-page.ts';

const slowMs = 60_000;
/** An event that compresses to a thousandth. */
const text = 'x'.repeat(32 * 1024);
const requestsAtOnce = 25;
const rounds = 60;
const partitions = [0, 1, 2, 3];

/** Records the unpacked size of each answer. */
class WeighedFetcher extends Fetcher {
  readonly #weights: number[];

  constructor(weights: number[], ...settings: ConstructorParameters<typeof Fetcher>) {
    super(...settings);
    this.#weights = weights;
  }

  override fetchEach(
    wanted: readonly FetchPosition[],
    bounds: FetchBounds,
    arrived: (answers: readonly Fetched[]) => void,
  ) {
    return super.fetchEach(wanted, bounds, (answers) => {
      this.#weights.push(answers.reduce((sum, { messages }) => sum + bytesOfAll(messages), 0));
      arrived(answers);
    });
  }
}

againstKafka('a tail that is far behind', (brokers) => {
  jest.setTimeout(slowMs);

  test('reads a backlog that unpacks to much in pieces that fit into memory, each partition in order', async () => {
    const topics = createTestTopics(brokers);
    const log = await topics.open();
    for (let n = 0; n < rounds; n++) {
      const one = (i: number) => outgoing('triggers', n % partitions.length, { data: { n: n * 1_000 + i, text } });
      await requestAll(
        log,
        Array.from({ length: requestsAtOnce }, (_, i) => one(i)),
      );
    }
    const topic = new KafkaNames(topics.settings.topicPrefix ?? '').topic('triggers');
    const weights: number[] = [];
    const pollers = new PollerPool(
      () => new WeighedFetcher(weights, { brokers, clientId: 'spec' }, [topic], new Set()),
    );
    const positions = partitions.map((partition) => ({ topic, partition, offset: 0 }));
    const follower = new Follower(pollers, positions, wide);
    const found = new Map<number, number[]>(partitions.map((partition) => [partition, []]));
    for (let count = 0; count < rounds * requestsAtOnce;) {
      for (const { partition, messages } of await follower.next(1_000)) {
        count += messages.length;
        for (const { value } of messages) found.get(partition)?.push((JSON.parse(String(value)) as { n: number }).n);
      }
    }
    follower.close();
    pollers.close();
    await log.close();
    await topics.remove();

    for (const numbers of found.values()) expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
    const [, ...later] = weights.filter((weight) => weight > 0);
    expect(later.length).toBeGreaterThan(4);
    expect(Math.max(...later)).toBeLessThanOrEqual(2 * limits.fetchUnpackedBytes);
  });
});
