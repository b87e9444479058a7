// `pd deliveries`: lists deliveries, and retries or discards those that failed.
import { InvalidArgumentError, Option } from 'commander';
import type { Delivery, DeliveriesRequest } from '../../../../libs/client/index.ts';
import { deliveryColumns, deliveryStates, showDelivery } from '../../output/show-delivery.ts';
import type { AddCommand } from '../../session/command.ts';
import type { Session } from '../../session/session.ts';
import { findSource, findWebhook, requireRecord } from '../../records/find.ts';
import { readFirst } from '../../records/pages.ts';
import { parseListCount } from '../arguments.ts';
import { confirmAction } from '../confirm-action.ts';

interface ListOptions {
  readonly number: number;
  readonly state?: Delivery['state'];
  readonly webhook?: string;
  readonly source?: string;
  readonly event?: string;
  readonly status?: number;
  readonly search?: string;
}

export const addDeliveries: AddCommand = (program, runner) => {
  const deliveries = program
    .command('deliveries')
    .summary('list, show, retry and discard deliveries')
    .description('A delivery is an event on its way to a webhook, with every attempt.');
  deliveries
    .command('list')
    .alias('ls')
    .description('Lists deliveries, the newest event first.')
    .option('-n, --number <n>', 'how many', parseListCount, 20)
    .addOption(new Option('--state <state>', 'only these').choices(deliveryStates))
    .option('--webhook <webhook>', 'only those to a webhook, by id, name or URL')
    .option('--source <source>', 'only those of a source, by id or name')
    .option('--event <id>', 'only those of an event, by id')
    .option('--status <status>', 'only those whose last answer had this status; 0: there was none', statusOf)
    .option('--search <text>', 'only those with this in an id, the event name, or the last error or answer')
    .action(runner.run(list));
  deliveries
    .command('show <delivery>')
    .description('Shows a delivery with its attempts, by id: the `webhook-id` that the receiver got.')
    .action(runner.run(show));
  deliveries
    .command('retry <delivery>')
    .description('Retries a waiting or parked delivery now, by id.')
    .action(runner.run((session: Session, _: object, id: string) => applyAction(session, 'retry', id)));
  deliveries
    .command('discard <delivery>')
    .description('Drops a delivery, by id: the deliveries behind it continue. At a terminal it asks first.')
    .option('-y, --yes', 'do not ask')
    .action(runner.run(discard));
};

function statusOf(text: string): number {
  if (!/^(?:0|[1-5]\d\d)$/.test(text))
    throw new InvalidArgumentError('It must be an HTTP status, 100 to 599, or 0: no answer.');
  return Number(text);
}

async function list(session: Session, options: ListOptions): Promise<void> {
  const { out } = session;
  const client = await session.client();
  const { state, webhook, source, event, status, search } = options;
  const request: DeliveriesRequest = {
    ...(state === undefined ? {} : { state }),
    ...(webhook === undefined ? {} : { webhook_id: (await findWebhook(client, webhook)).id }),
    ...(source === undefined ? {} : { source_id: (await findSource(client, source)).id }),
    ...(event === undefined ? {} : { event_id: event }),
    ...(status === undefined ? {} : { status }),
    ...(search === undefined ? {} : { q: search }),
  };
  const { records, mayHaveMore } = await readFirst(
    (paging) => client.findDeliveries({ ...request, ...paging }),
    options.number,
  );
  out.printTable(records, deliveryColumns(out.style));
  if (mayHaveMore) out.note('There may be more: ask for more with --number.');
  else if (records.length === 0 && options.number > 0) out.note('There are no such deliveries.');
}

async function show(session: Session, _: object, id: string): Promise<void> {
  const { out } = session;
  const delivery = await readDelivery(session, id);
  out.printResult(delivery, () => showDelivery(delivery, out.style));
}

async function discard(session: Session, options: { readonly yes?: boolean }, id: string): Promise<void> {
  const { event_id, webhook_id } = await readDelivery(session, id);
  await confirmAction(session, options, `Give up the delivery of ${event_id} to ${webhook_id}?`);
  await applyAction(session, 'discard', id);
}

async function applyAction(session: Session, action: 'retry' | 'discard', id: string): Promise<void> {
  const { out } = session;
  const client = await session.client();
  const change = action === 'retry' ? client.retryDelivery(id) : client.discardDelivery(id);
  const delivery = await requireRecord('delivery', id, change, 'pd deliveries list');
  out.printResult(delivery, () => showDelivery(delivery, out.style));
}

const readDelivery = async (session: Session, id: string): Promise<Delivery> =>
  requireRecord('delivery', id, (await session.client()).delivery(id), 'pd deliveries list');
