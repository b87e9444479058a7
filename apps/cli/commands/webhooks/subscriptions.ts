// `pd subscriptions`: lists, creates and deletes subscriptions, shows their deliveries and discards parked ones.
import { InvalidArgumentError, Option } from 'commander';
import type { Client, Delivery, Filter, Source, StartPosition, Subscription } from '../../../../libs/client/index.ts';
import { fields } from '../../output/layout/fields.ts';
import { deliveryColumns, deliveryStates } from '../../output/show-delivery.ts';
import type { Style } from '../../output/style.ts';
import { withRetries } from '../../failures/retry.ts';
import { exitCodes, Failure } from '../../failures/failure.ts';
import { plainLine } from '../../output/plain-text.ts';
import type { AddCommand } from '../../session/command.ts';
import type { Session } from '../../session/session.ts';
import { findSource, findSubscription, findWebhook, firstIdOf, requireRecord } from '../../records/find.ts';
import { readAll, readNewest } from '../../records/pages.ts';
import { parseListCount, numberOption } from '../arguments.ts';
import { parsePosition } from '../positions.ts';
import { listSubscriptions } from '../sources/list.ts';
import { confirmAction } from '../confirm-action.ts';

interface DeliveriesOptions {
  readonly number: number;
  readonly state?: Delivery['state'];
}

/** Whether it means every source: `dc_*`, or the id of the workspace or of the user. */
const isEverySource = (text: string): boolean => /^(?:dc_\*|[ou]_[0-9A-Za-z]{16})$/.test(text);

export const addSubscriptions: AddCommand = (program, runner) => {
  const subscriptions = program
    .command('subscriptions')
    .alias('subs')
    .summary('create, list and delete subscriptions, show deliveries and discard parked ones')
    .description('Subscriptions send the events of a source to a webhook, or to another source.');
  subscriptions
    .command('list')
    .alias('ls')
    .description('Lists subscriptions, the newest first.')
    .addOption(numberOption())
    .option('--source <source>', 'only those of a source, by id or name')
    .addOption(new Option('--webhook <webhook>', 'only those to a webhook, by id, name or URL').conflicts('source'))
    .action(runner.run(list));
  subscriptions
    .command('create')
    .description('Subscribes a webhook, or a source, to the events of a source.')
    .argument('<source>', 'a source by id or name; for every source dc_*, or the id of the workspace or user')
    .argument('<listener>', 'a webhook by id, name or URL, or a source by id or name')
    .option('-c, --channel <name>', 'only this channel; also $errors, $logs or $audit')
    .option('--filter <json>', 'only events that pass it, such as {"total":[{"numeric":[">",10]}]}', filterOf)
    .option(
      '--start <position>',
      'the first event: now (default), earliest, a time (ISO 8601, or 24h ago), or an event id',
      startOf,
    )
    .action(runner.run(create));
  subscriptions
    .command('delete <subscription>')
    .alias('rm')
    .description('Deletes a subscription, by id. At a terminal it asks first.')
    .option('-y, --yes', 'do not ask')
    .action(runner.run(remove));
  subscriptions
    .command('deliveries <subscription>')
    .description('Shows the last deliveries of a subscription, by id, the newest first.')
    .option('-n, --number <n>', 'how many', parseListCount, 20)
    .addOption(new Option('--state <state>', 'only these').choices(deliveryStates))
    .action(runner.run(deliveries));
  subscriptions
    .command('discard-parked <subscription>')
    .description('Drops all parked deliveries of a subscription, by id. At a terminal it asks first.')
    .option('-y, --yes', 'do not ask')
    .action(runner.run(discardParked));
};

interface ListOptions {
  readonly number: number;
  readonly source?: string;
  readonly webhook?: string;
}

async function list(session: Session, { number, source, webhook }: ListOptions): Promise<void> {
  const client = await session.client();
  await listSubscriptions(session, number, {
    ...(source === undefined ? {} : { emitter_id: (await findSource(client, source)).id }),
    ...(webhook === undefined ? {} : { listener_id: (await findWebhook(client, webhook)).id }),
  });
}

interface CreateOptions {
  readonly channel?: string;
  readonly filter?: Filter;
  readonly start?: StartPosition;
}

function filterOf(text: string): Filter {
  try {
    const filter: unknown = JSON.parse(text);
    if (typeof filter === 'object' && filter !== null && !Array.isArray(filter)) return filter as Filter;
  } catch {
    // Reported below.
  }
  throw new InvalidArgumentError('It must be a JSON object.');
}

function startOf(text: string): StartPosition {
  const position = parsePosition(text);
  if (typeof position === 'string') return position;
  if (position !== undefined && !('sequence' in position)) return position;
  throw new InvalidArgumentError('It must be earliest, now, a time, how long ago (24h), or an event id.');
}

async function create(
  session: Session,
  { channel, filter, start }: CreateOptions,
  source: string,
  listener: string,
): Promise<void> {
  const { out } = session;
  const client = await session.client();
  const emitter_id = isEverySource(source) ? source : (await findSource(client, source)).id;
  const listener_id = await listenerId(client, listener);
  const request = {
    emitter_id,
    listener_id,
    ...(channel === undefined ? {} : { event_name: channel }),
    ...(filter === undefined ? {} : { filter }),
    ...(start === undefined ? {} : { start }),
  };
  const idempotencyKey = crypto.randomUUID();
  const created = await withRetries(() => client.createSubscription(request, { idempotencyKey }));
  out.printResult(created, () => details(created, out.style));
}

async function listenerId(client: Client, nameOrId: string): Promise<string> {
  const found = await firstIdOf(client, nameOrId, [findWebhook, findListeningSource]);
  if (found !== undefined) return found;
  const hint = '`pd list webhooks` and `pd list sources` show them.';
  throw new Failure(`There is no webhook or source "${plainLine(nameOrId)}".`, exitCodes.notFound, hint);
}

async function findListeningSource(client: Client, nameOrId: string): Promise<Source> {
  const source = await findSource(client, nameOrId);
  if (source.kind !== 'channel') return source;
  const message = `${plainLine(source.name ?? source.id)} is a channel, which has no code that could run for events.`;
  throw new Failure(message, exitCodes.failed, 'Subscribe a webhook, or a source with code.');
}

const details = ({ id, emitter_id, listener_id, event_name }: Subscription, style: Style): string =>
  fields(
    [
      ['id', id],
      ['source', emitter_id],
      ['listener', listener_id],
      ['channel', event_name === '' ? null : event_name],
    ],
    style,
  );

async function remove(session: Session, options: { readonly yes?: boolean }, id: string): Promise<void> {
  const { out } = session;
  const client = await session.client();
  const { emitter_id, listener_id } = await findSubscription(client, id);
  await confirmAction(session, options, `Delete the subscription of ${listener_id} to ${emitter_id}?`);
  await client.deleteSubscription(id);
  out.printResult({ id, deleted: true }, () => `Deleted ${id}.`);
}

async function deliveries(session: Session, { number, state }: DeliveriesOptions, id: string): Promise<void> {
  const { out } = session;
  const client = await session.client();
  const filter = state === undefined ? {} : { state };
  const pendingPage = readNewest((paging) => client.deliveries(id, { ...filter, ...paging }), number);
  const { records, total } = await requireRecord('subscription', id, pendingPage, 'pd list subscriptions');
  out.printTable(records, deliveryColumns(out.style));
  if (total > 0) return;
  // An empty list does not tell whether the subscription exists.
  await findSubscription(client, id);
  out.note('There are no such deliveries.');
}

async function discardParked(session: Session, options: { readonly yes?: boolean }, id: string): Promise<void> {
  const { out } = session;
  const client = await session.client();
  const parked = await requireRecord(
    'subscription',
    id,
    client.deliveries(id, { state: 'parked', limit: 1 }),
    'pd list subscriptions',
  );
  const { total_count } = parked.page_info;
  if (total_count > 0)
    await confirmAction(session, options, `Give up ${deliveriesOf(total_count, 'parked ')} of ${id}?`);
  const counts = { discarded: 0, parked: 0 };
  for await (const { state } of readAll((paging) => client.discardParked(id, paging)))
    counts[state === 'discarded' ? 'discarded' : 'parked']++;
  out.printResult({ id, ...counts }, () => discardedOf(counts));
}

export function discardedOf({ discarded, parked }: { readonly discarded: number; readonly parked: number }): string {
  const parkedNote = `${parked} still parked: only a replay has tried them`;
  return `Discarded ${deliveriesOf(discarded)}${parked === 0 ? '' : `; ${parkedNote}`}.`;
}

const deliveriesOf = (count: number, kind = ''): string => `${count} ${kind}${count === 1 ? 'delivery' : 'deliveries'}`;
