import type { Answer } from '../../support/cluster/asking.ts';
import { expectWhole, withTrial } from '../../support/cluster/trial.ts';
import { pause } from '../../support/until.ts';

const awayMs = 20_000;
/** issue 4: no request hangs longer. */
const hangMaxMs = 10_000;

const given = withTrial({ stories: 2 });

test('Kafka stopped for 20 s: clients are told to come again, none hangs, and all is whole and back in 30 s', async () => {
  const { trial } = given;
  const { kafka } = trial.cluster.servers;
  await kafka.stop();
  await expectPatience(() => kafka.start());
}, 120_000);

test('Kafka that stands still for 20 s with its connections open: the same', async () => {
  const { trial } = given;
  const { kafka } = trial.cluster.servers;
  kafka.freeze();
  await expectPatience(() => kafka.thaw());
}, 120_000);

test('Kafka killed with -9 and started: all is whole and back in 30 s', async () => {
  const { trial } = given;
  const { kafka } = trial.cluster.servers;
  const inFlight = trial.commands.send();
  await kafka.kill();
  await kafka.start();
  await trial.recovered();
  await inFlight;
  await expectWhole(trial, 3);
}, 180_000);

/** Kafka is away now, and `bringBack` ends that. */
async function expectPatience(bringBack: () => Promise<void> | void): Promise<void> {
  const { trial } = given;
  const goneAt = performance.now();
  const inFlight = trial.commands.send();
  await pause(awayMs);
  const backAt = performance.now();
  await bringBack();
  await trial.recovered();
  await inFlight;

  const asked = trial.answers(backAt);
  expect(asked.filter(({ at, ms }) => Math.min(at + ms, backAt) - Math.max(at, goneAt) > hangMaxMs)).toEqual([]);
  const whileAway = asked.filter(({ at, ms }) => at > goneAt && at + ms < backAt);
  expect(whileAway.length).toBeGreaterThanOrEqual(trial.stories.length);
  expect(whileAway.filter((answer) => !asksToComeAgain(answer))).toEqual([]);
}

const asksToComeAgain = ({ status, retryAfter }: Answer): boolean => status === 503 && Number(retryAfter) > 0;
