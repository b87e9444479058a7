// Puts into the views what delivery would, which the test bed lacks, and offers a component of a package registry.
import type { Manifest } from '../../../domain/component/manifest.ts';
import { eventOrder } from '../../../domain/channel/event-id.ts';
import type { TestBed } from '../test-bed.fake.ts';

export const deliveryId = 'msg_0000000000000000';

/** A delivery that failed twice. */
export async function putDelivery(
  bed: TestBed,
  id: string,
  triple: { emitter_id: string; listener_id: string },
): Promise<void> {
  const { emitter_id: emitterId, listener_id: webhookId } = triple;
  const attempt = { attempt: 1, outcome: 'failed', startedAt: 4, durationMs: 1 };
  const value = {
    workspace: bed.log.records('workspaces')[0]?.workspace ?? '',
    subscriptionId: id,
    webhookId,
    emitterId,
    eventId: '1000-0',
    order: eventOrder('1000-0'),
    channel: '',
    webhookMessageId: deliveryId,
    state: 'failing',
    attemptCount: 2,
    nextAttemptAt: 9,
    parkedReason: null,
    updatedAt: 5,
    attempts: [
      {
        ...attempt,
        status: 500,
        failure: null,
        message: null,
        answer: 'sorry',
        trace: { address: '192.0.2.1:443', dnsMs: 1, totalMs: 5 },
        requestHeaders: { 'webhook-id': 'msg_1' },
        answerHeaders: { server: 's', 'set-cookie': ['a', 'b'] },
      },
      { ...attempt, attempt: 2, status: null, failure: 'dns', message: 'no such host', answer: null },
    ],
  };
  await bed.views.live().put([{ view: 'deliveries', id: deliveryId, version: 1, value }]);
}

/** The event of that delivery. */
export async function putEvent(bed: TestBed, emitterId: string): Promise<void> {
  const identity = { workspace: bed.log.records('workspaces')[0]?.workspace ?? '', emitterId, eventId: '1000-0' };
  const listing = { listedUnder: `${emitterId}/$`, order: eventOrder('1000-0'), channel: 'past' };
  const value = { ...identity, ...listing, runId: 'run_', emittedAt: 1000, emit: { id: '', summary: '' }, event: {} };
  await bed.views.live().put([{ view: 'events', id: `${emitterId}/1000-0`, version: 1, value }]);
}

/** Answers the test of a webhook, as delivery would. */
export async function answerTest(bed: TestBed): Promise<void> {
  const findRequest = () => bed.log.records('requests').find(({ type }) => type === 'WebhookTestRequested');
  let record = findRequest();
  for (; record === undefined; record = findRequest()) await new Promise((resolve) => setTimeout(resolve, 5));
  const { replyTo } = record.data as { readonly replyTo: string };
  const result = { status: 500, failure: null, message: null, answer: 'no', answerHeaders: { server: 's' } };
  const attempt = { ...result, startedAt: 5, durationMs: 1, trace: { dnsMs: 1 }, requestHeaders: { a: 'b' } };
  bed.log.reply(replyTo, { type: 'WebhookTested', correlationId: record.correlationId, attempt, refused: null });
}

/** Shows the nth requested replay as done. */
export async function putReplay(bed: TestBed, nth: number): Promise<void> {
  const findRequest = () => bed.log.records('requests').filter(({ type }) => type === 'ReplayRequested')[nth];
  let record = findRequest();
  for (; record === undefined; record = findRequest()) await new Promise((resolve) => setTimeout(resolve, 5));
  const { replayId, ...replay } = record.data as { readonly replayId: string; readonly subscriptionId: string };
  const value = {
    ...replay,
    workspace: record.workspace,
    replayId,
    listedUnder: replay.subscriptionId,
    state: 'done',
    reason: null,
    requestedAt: 5,
    endedAt: 9,
    total: 2,
    first: '1000-0',
    last: '1000-1',
    delivered: 1,
    parked: 1,
    passed: 0,
  };
  await bed.views.live().put([{ view: 'replays', id: replayId, version: nth + 1, value }]);
}

export async function putPosition(bed: TestBed, subscriptionId: string, emitterId: string): Promise<void> {
  const counters = { published: 2, delivered: 1, parked: 0, filtered: 0, expired: 0, pending: 1 };
  const failed = { eventId: '1000-0', at: 5, status: null, failure: 'timeout' };
  const value = {
    workspace: bed.log.records('workspaces')[0]?.workspace ?? '',
    subscriptionId,
    emitterId,
    epoch: 1,
    counters,
    retrying: 1,
    eventId: '1000-0',
    failed,
    retryAt: 9,
    updatedAt: 5,
  };
  await bed.views.live().put([{ view: 'positions', id: `${subscriptionId}/${emitterId}`, version: 1, value }]);
}

/** Offers a component as `sources/new-order.mjs` of `@pipedream/acme` in npm's registry; the code `own` is the same. */
export function offerComponent({ components, packages }: TestBed, key: string): void {
  const descriptor = { name: 'New Order', version: '1.0.0', key, type: 'source' as const, props: [], hooks: [] };
  const manifest = { ...descriptor, methods: [], additionalProps: false };
  const [path, version] = ['sources/new-order.mjs', '1.0.0'];
  const code = `export { default } from "@pipedream/acme@${version}/${path}";\n`;
  for (const text of ['own', code]) components.set(text, { manifest, run: () => {} });
  const offeredComponents = [{ key, type: 'source' as const, name: 'New Order', description: '', path }];
  const packageInfo = { name: '@pipedream/acme', version };
  packages.registry.set(packageInfo.name, { kind: 'found', package: packageInfo, components: offeredComponents });
}

/** A component that emits what it is sent on channel `odd`, prints wherever it can, and answers forms. */
export const echoOf = (manifest: Manifest): Parameters<TestBed['components']['set']>[1] => ({
  manifest,
  run: ({ event, emit, console }) => {
    console('got one');
    const { body } = event as { body: { fail?: boolean } };
    emit({ event: body, channel: 'odd', id: 7, summary: 's', ts: 5 });
    if (body.fail === true) throw new TypeError('no luck');
  },
  sample: ({ emit }) => emit({ event: 'sample' }),
  forms: {
    configure: ({ emit }) => emit({ event: { options: [3, { label: 'Five', value: 5 }], context: null } }),
    props: ({ emit, console }) => {
      console('asked');
      emit({ event: { props: [...manifest.props] } as unknown as null });
    },
  },
  hooks: { deploy: ({ console }) => console('deployed') },
});
