import { until } from '../../../test/support/until.ts';
import { TopicWatch } from './topic-watch.ts';

const gone = 'the topic runs of this log was deleted';

/** Returns each answer in turn, and then always the last one. */
async function watching(answers: readonly (string | undefined | Error)[]) {
  const remaining = [...answers];
  const reported: unknown[] = [];
  let looks = 0;
  const look = async (): Promise<string | undefined> => {
    looks++;
    const answer = remaining.length > 1 ? remaining.shift() : remaining[0];
    if (answer instanceof Error) throw answer;
    return answer;
  };
  const watch = new TopicWatch({ deletedTopicsError: look }, { error: (line: unknown) => void reported.push(line) }, 1);
  await until('enough looks', () => looks > answers.length + 2, 5_000);
  await watch.close();
  return { watch, told: reported };
}

test('a topic that is gone at two looks in a row is told by health, and once in the log', async () => {
  const { watch, told: reported } = await watching([undefined, gone]);
  expect(watch).toMatchObject({ healthy: false, trouble: gone });
  expect(reported).toEqual([gone]);
});

test('what a single look shows is not believed, and Kafka being away says nothing', async () => {
  const { watch, told: reported } = await watching([undefined, gone, undefined, new Error('away'), gone, undefined]);
  expect(watch).toMatchObject({ healthy: true, trouble: undefined });
  expect(reported).toEqual([]);
});

test('topics that are back end the trouble, and Kafka being away does not', async () => {
  expect((await watching([gone, gone, new Error('away')])).watch.trouble).toBe(gone);
  expect((await watching([gone, gone, undefined])).watch.healthy).toBe(true);
});
