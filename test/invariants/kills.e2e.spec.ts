import { randomInt } from 'node:crypto';
import { gitHubDeliveries } from '../support/github.ts';
import {
  emittedIds,
  expectDelivered,
  expectedState,
  gitHubScenario,
  gitHubSecret,
  postUntilAcknowledged,
} from '../support/github-scenario.ts';
import { verify } from '../support/receiver.ts';
import { withFixture } from '../support/fixture.ts';
import { pause, until } from '../support/until.ts';

const deliveries = gitHubDeliveries(gitHubSecret);
const kills = 20;
/** Long enough to hit a trigger at any stage: appended, run, delivered, flushed. */
const killWithinMs = 300;
/** docs/reference/delivery.md, "After a crash": per subscription, one in flight and those completed since a flush. */
const duplicatesMaxPerKill = 2 * (1 + 100);

const fixture = withFixture();

test(`${kills} kills at random moments lose no event, emit none twice, and keep order and db`, async () => {
  const scenario = await gitHubScenario(fixture.product, fixture.receiver);
  await Promise.all([postAll(scenario.endpoint), killAndStart()]);
  await expectDelivered(fixture.receiver, deliveries);

  // The views may be behind what was delivered a moment ago.
  const inViews = async (): Promise<boolean> => (await emittedIds(scenario)).length >= deliveries.length;
  await until('every event in the views', inViews, 60_000, 200);
  expect((await emittedIds(scenario)).sort()).toEqual(deliveries.map(({ id }) => id).sort());
  for (const received of fixture.receiver.requestsTo('/all')) verify(scenario.signingKeys.all, received);
  const copies = fixture.receiver.received.length - fixture.receiver.countOf('/all') - fixture.receiver.countOf('/one');
  expect(copies).toBeLessThanOrEqual(kills * duplicatesMaxPerKill);
  const answer = await fetch(scenario.endpoint);
  expect(await answer.json()).toEqual(expectedState(deliveries));
}, 420_000);

let posted = 0;

async function postAll(endpoint: string): Promise<void> {
  for (const delivery of deliveries) {
    await postUntilAcknowledged(endpoint, delivery);
    posted++;
  }
}

/** Each kill happens at a random point of its own part of the posting. */
async function killAndStart(): Promise<void> {
  const stretch = Math.floor(deliveries.length / (kills + 1));
  for (let kill = 1; kill <= kills; kill++) {
    const at = kill * stretch - randomInt(stretch);
    while (posted < at) await pause(1);
    await pause(randomInt(killWithinMs));
    await fixture.product.kill();
    await fixture.product.start();
  }
}
