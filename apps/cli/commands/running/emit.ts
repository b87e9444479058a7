// `pd emit`: publishes an event on a channel, as an application would.
import type { Published, PublishedEvent, Source } from '../../../../libs/client/index.ts';
import { plainLine } from '../../output/plain-text.ts';
import type { AddCommand } from '../../session/command.ts';
import { exitCodes, Failure, usageFailure } from '../../failures/failure.ts';
import { repeating } from '../../failures/repeating.ts';
import type { Session } from '../../session/session.ts';
import { findSource } from '../../records/find.ts';
import { givenEvent } from '../../requests/given-event.ts';
import type { EventOptions } from '../../requests/given-event.ts';
import { explainedIdle } from './idle.ts';

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

async function emit(session: Session, options: EmitOptions, named: string): Promise<number> {
  const { out } = session;
  const event = await eventOf(session, options);
  const client = await session.client();
  const source = await findSource(client, named);
  if (source.kind !== 'channel') throw noChannel(source);
  const idempotencyKey = crypto.randomUUID();
  const published = await repeating(() => client.publish(source.id, [event], { idempotencyKey })).catch(
    (error: unknown) => {
      throw explainedIdle(source, error);
    },
  );
  const [{ id, duplicate }] = published as readonly [Published];
  if (duplicate && !out.json) out.note('Nothing was published: this id was published before.');
  out.result({ id, duplicate }, () => plainLine(id));
  return exitCodes.done;
}

const noChannel = ({ id, name_slug }: Source): Failure =>
  new Failure(
    `The source ${name_slug ?? id} is no channel: its code emits its events.`,
    exitCodes.failed,
    `\`pd run ${name_slug ?? id} --event JSON\` runs it with an event.`,
  );

const noEvent = (): Failure =>
  usageFailure('An event is needed.', 'Give it by --event JSON, or --event-file FILE; - reads stdin.');

async function eventOf(session: Session, { id, channel, summary, ...given }: EmitOptions): Promise<PublishedEvent> {
  const event = await givenEvent(session, given);
  if (event === undefined) throw noEvent();
  const named = channel === undefined ? {} : { name: channel };
  return { ...event, ...named, ...(id === undefined ? {} : { id }), ...(summary === undefined ? {} : { summary }) };
}
