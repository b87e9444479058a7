import { until } from '../../../test/support/until.ts';
import { TopicWatch } from './topic-watch.ts';

const gone = 'the topic runs of this log was deleted';

/** Returns each answer in turn, and then always the last one. */
async function watching(answers: readonly (string | undefined | Error)[]) {
  const left = [...answers];
  const told: unknown[] = [];
  let looks = 0;
  const look = async (): Promise<string | undefined> => {
    looks++;
    const answer = left.length > 1 ? left.shift() : left[0];
    if (answer instanceof Error) throw answer;
    return answer;
  };
  const watch = new TopicWatch({ gone: look }, { error: (line: unknown) => void told.push(line) }, 1);
  await until('enough looks', () => looks > answers.length + 2, 5_000);
  await watch.close();
  return { watch, told };
}

test('a topic that is gone at two looks in a row is told by health, and once in the log', async () => {
  const { watch, told } = await watching([undefined, gone]);
  expect(watch).toMatchObject({ healthy: false, trouble: gone });
  expect(told).toEqual([gone]);
});

test('what a single look shows is not believed, and Kafka being away says nothing', async () => {
  const { watch, told } = await watching([undefined, gone, undefined, new Error('away'), gone, undefined]);
  expect(watch).toMatchObject({ healthy: true, trouble: undefined });
  expect(told).toEqual([]);
});

test('topics that are back end the trouble, and Kafka being away does not', async () => {
  expect((await watching([gone, gone, new Error('away')])).watch.trouble).toBe(gone);
  expect((await watching([gone, gone, undefined])).watch.healthy).toBe(true);
});
