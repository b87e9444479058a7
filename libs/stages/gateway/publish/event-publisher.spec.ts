import { randomBytes } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import type { Reply } from '../../../log/log.ts';
import { EventPublisher } from './event-publisher.ts';
import type { PublishInput, EventPublisherOptions } from './event-publisher.ts';
import { inFlightBytesMax } from './publish-turns.ts';

interface OnLog {
  readonly workspace: string;
  readonly correlationId: string;
}

/** The requests on the log, oldest first. */
let onLog: OnLog[];
let reply: (reply: Reply) => void;
let publisher: EventPublisher;
beforeEach(() => {
  onLog = [];
  const log = {
    partitions: 4,
    request: async ({ record }: { readonly record: OnLog }) => void onLog.push(record),
    onReply: (_instance: string, receive: typeof reply) => {
      reply = receive;
      return () => {};
    },
  };
  publisher = new EventPublisher({
    log,
    watch: { whileLogAnswers: (answer: Promise<unknown>) => answer },
    limits: { publishMs: 60_000 },
    ambient: { now: () => 1, randomBytes },
    instanceId: 'gateway-1',
    isSourceFull: () => false,
  } as unknown as EventPublisherOptions);
  publisher.open();
});
afterEach(() => publisher.close());

function publish(workspace: string, bytes: number): Promise<unknown> {
  const caller = { workspace, keyId: 'key_1' };
  const input = { sourceId: `dc_${workspace}`, caller, bytes, events: [] } as unknown as PublishInput;
  return publisher.publish(input).catch((error: unknown) => error);
}

test('only a few large requests of a workspace are on the log unanswered, so that those of another one are handled soon', async () => {
  const bytes = inFlightBytesMax / 8;
  const all = Array.from({ length: 20 }, () => publish('a', bytes));
  const other = publish('b', bytes);
  await turn();
  expect(onLog.map(({ workspace }) => workspace)).toEqual([...Array.from({ length: 8 }, () => 'a'), 'b']);

  for (let n = 0; n < onLog.length; n++) {
    const { correlationId = '' } = onLog[n] ?? {};
    reply({ type: 'EventsPublished', correlationId, ids: [], duplicates: [] });
    await turn();
  }
  expect(onLog).toHaveLength(21);
  expect(await Promise.all([...all, other])).toEqual(
    Array.from({ length: 21 }, () => expect.objectContaining({ ids: [] })),
  );
});
