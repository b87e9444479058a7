import { gitHubDeliveries } from '../support/github.ts';
import {
  expectDelivered,
  expectedState,
  gitHubScenario,
  gitHubSecret,
  oneChannel,
  post,
} from '../support/github-scenario.ts';
import { withCast } from '../support/cast.ts';
import { verify } from '../support/receiver.ts';

const deliveries = gitHubDeliveries(gitHubSecret);
/** How many ids the `unique` strategy remembers (docs/reference/component-api.md, "Dedupe"). */
const remembered = 100;

const cast = withCast();

test('every payload that GitHub publishes goes its whole way, once, in order, signed, to exactly the webhooks it is for', async () => {
  const { client, sourceId, endpoint, signingKeys } = await gitHubScenario(cast.product, cast.receiver);
  for (const delivery of deliveries) expect(await post(endpoint, delivery)).toBe(200);
  await expectDelivered(cast.receiver, deliveries);
  for (const received of cast.receiver.at('/all')) verify(signingKeys.all, received);
  for (const received of cast.receiver.at('/one')) verify(signingKeys.one, received);
  expect(() => verify(signingKeys.one, cast.receiver.at('/all')[0] as never)).toThrow();

  const forged = deliveries[0] as (typeof deliveries)[0];
  expect(await post(endpoint, { ...forged, headers: { ...forged.headers, 'x-hub-signature-256': 'sha256=00' } })).toBe(
    401,
  );
  for (const delivery of deliveries.slice(-remembered)) expect(await post(endpoint, delivery)).toBe(200);
  const last = { ...forged, id: 'one-more', headers: { ...forged.headers, 'x-github-delivery': 'one-more' } };
  expect(await post(endpoint, last)).toBe(200);
  await expectDelivered(cast.receiver, [...deliveries, last]);
  expect(cast.receiver.at('/all')).toHaveLength(deliveries.length + 1);

  const answer = await fetch(endpoint);
  expect(await answer.json()).toEqual(expectedState([...deliveries, last]));
  const summaries = await client.eventSummaries(sourceId, { limit: 5, event_name: oneChannel, expand: 'event' });
  expect(summaries.data.map(({ metadata }) => metadata.name)).toEqual(Array(5).fill(oneChannel));
}, 180_000);
