// `pd webhooks`: receivers of events.
import { Option } from 'commander';
import { fields } from '../../output/layout/fields.ts';
import { plainLine } from '../../output/plain-text.ts';
import { showAttempt } from '../../output/show-delivery.ts';
import { paintState } from '../../output/show-source.ts';
import { formatLocalTime } from '../../output/times.ts';
import { orderOf, webhookState } from '../../output/webhook-state.ts';
import { withRetries } from '../../failures/retry.ts';
import { exitCodes } from '../../failures/failure.ts';
import type { AddCommand } from '../../session/command.ts';
import type { Session } from '../../session/session.ts';
import { findWebhook } from '../../records/find.ts';
import { numberOption, parseCounts } from '../arguments.ts';
import { listWebhooks } from '../sources/list.ts';
import { confirmAction } from '../confirm-action.ts';

interface CreateOptions {
  readonly name?: string;
  readonly description?: string;
  readonly unordered?: boolean;
  readonly orderKey?: string;
  readonly retry?: readonly number[];
}

export const addWebhooks: AddCommand = (program, runner) => {
  const webhooks = program
    .command('webhooks')
    .summary('create, show, test, pause, resume, list and delete webhooks')
    .description('Webhooks receive events: each is a URL that deliveries are sent to.');
  webhooks
    .command('list')
    .alias('ls')
    .description('Lists webhooks, the newest first.')
    .addOption(numberOption())
    .action(runner.run((session: Session, { number }: { readonly number: number }) => listWebhooks(session, number)));
  webhooks
    .command('create <url>')
    .description(
      'Creates a webhook and shows its signing key, with which the receiver checks deliveries. The key is not shown again.',
    )
    .option('--name <name>', 'a name')
    .option('--description <text>', 'what it is for')
    .option('--unordered', 'up to 64 deliveries at once in any order, instead of one after the other')
    .addOption(
      new Option(
        '--order-key <pointer>',
        'keep order only among events with the same value at this JSON pointer, such as /customer/id',
      ).conflicts('unordered'),
    )
    .option('--retry <seconds>', 'seconds before each retry, separated by commas: 5,60,3600', parseCounts)
    .action(runner.run(create));
  webhooks.command('show <webhook>').description('Shows a webhook, by id, name or URL.').action(runner.run(show));
  webhooks
    .command('test <webhook>')
    .description(
      'Sends a signed sample to a webhook now, and shows the attempt. It is not a delivery and is not counted.',
    )
    .action(runner.run(test));
  webhooks
    .command('pause <webhook>')
    .description('Sends nothing more to a webhook: events wait.')
    .action(runner.run((session: Session, _: object, nameOrId: string) => setActive(session, nameOrId, false)));
  webhooks
    .command('resume <webhook>')
    .description('Resumes sending to a webhook, waiting events first.')
    .action(runner.run((session: Session, _: object, nameOrId: string) => setActive(session, nameOrId, true)));
  webhooks
    .command('delete <webhook>')
    .alias('rm')
    .description('Deletes a webhook and its subscriptions. At a terminal it asks first.')
    .option('-y, --yes', 'do not ask')
    .action(runner.run(remove));
};

async function create(session: Session, options: CreateOptions, url: string): Promise<void> {
  const { out } = session;
  const client = await session.client();
  const { name, description, retry } = options;
  const request = {
    url,
    ...(name === undefined ? {} : { name }),
    ...(description === undefined ? {} : { description }),
    ...(options.unordered === true ? { ordered: false } : {}),
    ...(options.orderKey === undefined ? {} : { order_key: options.orderKey }),
    ...(retry === undefined ? {} : { retry_schedule: retry }),
  };
  const idempotencyKey = crypto.randomUUID();
  const webhook = await withRetries(() => client.createWebhook(request, { idempotencyKey }));
  out.printResult(webhook, () =>
    fields(
      [
        ['id', webhook.id],
        ['url', plainLine(webhook.url)],
        ['signing key', webhook.signing_key],
      ],
      out.style,
    ),
  );
  out.note('Keep the signing key: it is shown only now.');
}

async function show(session: Session, _: object, nameOrId: string): Promise<void> {
  const { out } = session;
  const webhook = await findWebhook(await session.client(), nameOrId);
  const { id, name, description, url, retry_schedule: retry, failing_since_ms: failing, created_at } = webhook;
  out.printResult(webhook, () =>
    fields(
      [
        ['id', id],
        ['name', name === null ? null : plainLine(name)],
        ['description', description === null ? null : plainLine(description)],
        ['url', plainLine(url)],
        ['state', webhookState(webhook), (text) => paintState(text, out.style)],
        ['failing since', typeof failing === 'number' ? formatLocalTime(failing) : null],
        ['order', orderOf(webhook)],
        ['retries after', retry === null ? 'the default times' : retry.map((seconds) => `${seconds} s`).join(', ')],
        ['created', formatLocalTime(created_at * 1_000)],
      ],
      out.style,
    ),
  );
}

async function test(session: Session, _: object, nameOrId: string): Promise<number | undefined> {
  const { out } = session;
  const client = await session.client();
  const attempt = await client.testWebhook((await findWebhook(client, nameOrId)).id);
  out.printResult(attempt, () => showAttempt(attempt, out.style));
  return attempt.outcome === 'failed' ? exitCodes.failed : undefined;
}

async function setActive(session: Session, nameOrId: string, isActive: boolean): Promise<void> {
  const { out } = session;
  const client = await session.client();
  const { id } = await findWebhook(client, nameOrId);
  const webhook = await (isActive ? client.resumeWebhook(id) : client.pauseWebhook(id));
  out.printResult(webhook, () => `${id} is ${paintState(webhookState(webhook), out.style)}.`);
}

async function remove(session: Session, options: { readonly yes?: boolean }, nameOrId: string): Promise<void> {
  const { out } = session;
  const client = await session.client();
  const { id, name, url } = await findWebhook(client, nameOrId);
  const label = `${plainLine(name ?? url)} (${id})`;
  await confirmAction(session, options, `Delete the webhook ${label} and its subscriptions?`);
  await client.deleteWebhook(id);
  out.printResult({ id, deleted: true }, () => `Deleted ${label}.`);
}
