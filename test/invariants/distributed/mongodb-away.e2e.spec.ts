import { expectWhole, withTrial } from '../../support/cluster/trial.ts';
import { pause } from '../../support/until.ts';

const awayMs = 20_000;

const given = withTrial({ stories: 2 });

test('MongoDB stopped for 20 s: events flow on meanwhile, and the views are back in 30 s', async () => {
  const { trial } = given;
  const { mongodb } = trial.cluster.servers;
  await mongodb.stop();
  const goneAt = performance.now();
  const inFlight = trial.commands.send();
  await Promise.all([pause(awayMs), ...trial.stories.map((story) => story.flows())]);
  const backAt = performance.now();
  const posts = trial.stories.flatMap(({ asking }) => asking.answers.filter(({ at }) => at > goneAt && at < backAt));
  expect(posts.filter(({ status }) => status !== 200)).toEqual([]);
  await mongodb.start();
  await trial.recovered();
  await inFlight;
}, 120_000);

test('MongoDB killed with -9 and started: the views are whole and back in 30 s', async () => {
  const { trial } = given;
  const { mongodb } = trial.cluster.servers;
  const inFlight = trial.commands.send();
  await mongodb.kill();
  await mongodb.start();
  await trial.recovered();
  await inFlight;
  await expectWhole(trial, 2);
}, 180_000);
