import { expectWhole, withTrial } from '../../support/cluster/trial.ts';
import { pause } from '../../support/until.ts';

const awayMs = 20_000;
/** issue 4: no request hangs longer. */
const hangMaxMs = 10_000;

const given = withTrial({ stories: 2 });

test('MongoDB stopped for 20 s: events flow on meanwhile, and the views are back in 30 s', async () => {
  const { mongodb } = given.trial.cluster.servers;
  await mongodb.stop();
  await expectFlow(() => mongodb.start());
}, 120_000);

test('MongoDB that stands still for 20 s with its connections open: the same', async () => {
  const { mongodb } = given.trial.cluster.servers;
  await mongodb.freeze();
  await expectFlow(() => mongodb.thaw());
}, 120_000);

test('MongoDB killed with -9 and started: the views are whole and back in 30 s', async () => {
  const { trial } = given;
  const { mongodb } = trial.cluster.servers;
  const inFlight = trial.commands.send();
  await mongodb.kill();
  await mongodb.start();
  await trial.recovered();
  await inFlight;
  await expectWhole(trial, 3);
}, 180_000);

/** MongoDB is away now, and `bringBack` ends that. */
async function expectFlow(bringBack: () => Promise<void> | void): Promise<void> {
  const { trial } = given;
  const goneAt = performance.now();
  const inFlight = trial.commands.send();
  const asked = askAboutViews(trial.cluster.baseUrl, await trial.cluster.apiKey());
  await Promise.all([pause(awayMs), ...trial.stories.map((story) => story.flows())]);
  const backAt = performance.now();
  const posts = trial.stories.flatMap(({ asking }) => asking.answers.filter(({ at }) => at > goneAt && at < backAt));
  expect(posts.filter(({ status }) => status !== 200)).toEqual([]);
  expect(await asked).toEqual({ status: 503, inTime: true });
  await bringBack();
  await trial.recovered();
  await inFlight;
}

/** Whoever reads meanwhile is told to come again. */
async function askAboutViews(baseUrl: string, apiKey: string): Promise<{ status: number; inTime: boolean }> {
  const at = performance.now();
  const headers = { authorization: `Bearer ${apiKey}` };
  const { status } = await fetch(`${baseUrl}/v1/users/me/sources`, { headers });
  return { status, inTime: performance.now() - at <= hangMaxMs };
}
