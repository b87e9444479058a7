// `pd emit`: publishes an event on a channel, as an application would.
import type { Published, PublishedEvent, Source } from '../../../../libs/client/index.ts';
import { plainLine } from '../../output/plain-text.ts';
import type { AddCommand } from '../../session/command.ts';
import { exitCodes, Failure, usageFailure } from '../../failures/failure.ts';
import { withRetries } from '../../failures/retry.ts';
import type { Session } from '../../session/session.ts';
import { findSource } from '../../records/find.ts';
import { readEventOption } from '../../requests/event-options.ts';
import type { EventOptions } from '../../requests/event-options.ts';
import { explainIdle } from './idle.ts';

interface EmitOptions extends EventOptions {
  readonly id?: string;
  readonly channel?: string;
  readonly summary?: string;
}

const description = `Publishes an event on a channel, as an application does by POST /v1/sources/ID/events, and shows its id.

Subscribed webhooks get it; \`pd deploy --channel\` makes a channel. An --id that is among the last 10,000 of the channel publishes nothing: the id of the event that was published with it is shown.`;

export const addEmit: AddCommand = (program, runner) => {
  program
    .command('emit <source>')
    .summary('publish an event on a channel')
    .description(description)
    .option('-e, --event <json>', 'the event')
    .option('--event-file <file>', 'the event from a file, or - for stdin')
    .option('--id <id>', 'your id of the event: it is published once')
    .option('-c, --channel <name>', 'the channel of the event, by which subscriptions choose')
    .option('--summary <text>', 'a line about the event, for lists')
    .action(runner.run(emit));
};

async function emit(session: Session, options: EmitOptions, nameOrId: string): Promise<number> {
  const { out } = session;
  const event = await eventOf(session, options);
  const client = await session.client();
  const source = await findSource(client, nameOrId);
  if (source.kind !== 'channel') throw notChannelFailure(source);
  const idempotencyKey = crypto.randomUUID();
  const published = await withRetries(() => client.publish(source.id, [event], { idempotencyKey })).catch(
    (error: unknown) => {
      throw explainIdle(source, error);
    },
  );
  const [{ id, duplicate }] = published as readonly [Published];
  if (duplicate && !out.json) out.note('Nothing was published: this id was published before.');
  out.printResult({ id, duplicate }, () => plainLine(id));
  return exitCodes.done;
}

const notChannelFailure = ({ id, name_slug }: Source): Failure =>
  new Failure(
    `The source ${name_slug ?? id} is no channel: its code emits its events.`,
    exitCodes.failed,
    `\`pd run ${name_slug ?? id} --event JSON\` runs it with an event.`,
  );

const noEventFailure = (): Failure =>
  usageFailure('An event is needed.', 'Give it by --event JSON, or --event-file FILE; - reads stdin.');

async function eventOf(
  session: Session,
  { id, channel, summary, ...eventOptions }: EmitOptions,
): Promise<PublishedEvent> {
  const event = await readEventOption(session, eventOptions);
  if (event === undefined) throw noEventFailure();
  const channelField = channel === undefined ? {} : { name: channel };
  return {
    ...event,
    ...channelField,
    ...(id === undefined ? {} : { id }),
    ...(summary === undefined ? {} : { summary }),
  };
}
