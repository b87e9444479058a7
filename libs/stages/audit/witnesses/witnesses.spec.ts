// A subscriber to `$audit` is sent each checkpoint once, in the append that contains it.
import { auditChannel, auditSourceOf } from '../../../domain/service-channels/witness.ts';
import { partitionOf } from '../../../domain/flow.ts';
import type { PublishRequest } from '../../../domain/publish/messages.ts';
import { samples } from '../../../domain/record/samples.fake.ts';
import { AuditWorld } from '../audit-world.fake.ts';

const minuteMs = 60_000;

let world: AuditWorld;

beforeEach(async () => {
  world = await AuditWorld.start();
});

afterEach(() => world.task.stop(0));

const subscribe = (change: object, key = 'sub_1'): Promise<void> => {
  const data = { ...samples.subscriptions.SubscriptionDefined, emitterId: 'o_1', eventName: auditChannel, ...change };
  return world.write('subscriptions', { type: 'SubscriptionDefined', key, data });
};

const unsubscribe = (): Promise<void> =>
  world.write('subscriptions', { type: 'SubscriptionDefined', key: 'sub_1', data: undefined });

const publishRequests = (): readonly PublishRequest[] =>
  world.log.records('triggers').filter(({ type }) => type === 'EventsPublishRequested') as unknown as PublishRequest[];

async function round(): Promise<void> {
  await world.write('runs');
  await world.turn(0);
  await world.turn(minuteMs);
}

test('a witness is sent the checkpoints as they were signed, in the name of audit, and this causes no further round', async () => {
  await subscribe({});
  await round();
  const [request, ...more] = publishRequests();
  expect(more).toEqual([]);
  const emitter = auditSourceOf('o_1');
  expect(request).toMatchObject({ key: emitter, workspace: 'o_1', actor: 'audit', partition: partitionOf(emitter, 2) });
  const [{ data } = { data: undefined }] = world.checkpoints();
  expect(request?.data).toMatchObject({
    sourceId: emitter,
    events: [{ channel: auditChannel, event: { checkpoints: [{ line: data?.line, signatures: data?.signatures }] } }],
  });
  await world.turn(minuteMs);
  await world.turn(minuteMs);
  expect(world.checkpoints()).toHaveLength(1);
});

test('nothing is sent without a subscription, or after its end', async () => {
  await subscribe({ eventName: null });
  await subscribe({ emitterId: 'dc_1' }, 'sub_2');
  await round();
  expect(publishRequests()).toHaveLength(0);
  await subscribe({});
  await round();
  expect(publishRequests()).toHaveLength(1);
  await unsubscribe();
  await round();
  expect(publishRequests()).toHaveLength(1);
});

test('after a take-over, subscriptions are known before anything is signed', async () => {
  await subscribe({});
  await world.write('runs');
  await world.turn(0);
  world.stopAfterAppends(0);
  await world.turn(minuteMs);
  await world.open();
  expect(publishRequests()).toHaveLength(0);
  await world.turn(0);
  expect(publishRequests()).toHaveLength(1);
});
