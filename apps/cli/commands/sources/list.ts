// `pd list` and `pd describe`: list sources and other records, and show one source.
import { Argument } from 'commander';
import type {
  Client,
  ComponentSummary,
  Subscription,
  SubscriptionsRequest,
  Webhook,
} from '../../../../libs/client/index.ts';
import { paintState, showSource, sourceColumns } from '../../output/show-source.ts';
import type { Style } from '../../output/style.ts';
import type { Column } from '../../output/layout/table.ts';
import { formatRelativeTime } from '../../output/times.ts';
import { orderOf, webhookState } from '../../output/webhook-state.ts';
import type { AddCommand } from '../../session/command.ts';
import type { Session } from '../../session/session.ts';
import { findSource } from '../../records/find.ts';
import { readNewest } from '../../records/pages.ts';
import type { NewestRecords } from '../../records/pages.ts';
import { cutNote, numberOption } from '../arguments.ts';

const resources = ['sources', 'streams', 'components', 'published', 'webhooks', 'subscriptions'] as const;
type Resource = (typeof resources)[number];

/** Short names, which the hosted service uses too. */
const resourceAliases: Readonly<Record<string, Resource>> = { so: 'sources', st: 'streams' };

const description = `Lists what there is, the newest first. Without RESOURCE it asks for it, at a terminal.

Streams are the URLs at which the events of sources can be followed; so and st are short for sources and streams.`;

interface ListOptions {
  readonly number: number;
}

export const addList: AddCommand = (program, runner) => {
  program
    .command('list')
    .alias('ls')
    .summary('list sources, components, webhooks or subscriptions')
    .description(description)
    .addArgument(new Argument('[resource]', 'what to list').choices([...resources, ...Object.keys(resourceAliases)]))
    .addOption(numberOption())
    .action(runner.run(list));
  program
    .command('describe <source>')
    .summary('show a source')
    .description('Shows a source: its state, endpoint, props, last run and last error.')
    .action(runner.run(describe));
};

async function list(session: Session, { number }: ListOptions, resourceName: string | undefined): Promise<void> {
  const resource =
    resourceName === undefined
      ? await askResource(session)
      : (resourceAliases[resourceName] ?? (resourceName as Resource));
  await listers[resource](session, number);
}

async function askResource(session: Session): Promise<Resource> {
  const prompts = await session.prompts('Say what to list.', `It is one of: ${resources.join(', ')}.`);
  return prompts.choose(
    'Which would you like to list?',
    resources.map((value) => ({ value, label: value })),
  );
}

const listers: Readonly<Record<Resource, (session: Session, number: number) => Promise<void>>> = {
  sources: async (session, number) => {
    const client = await session.client();
    const found = await readNewest((paging) => client.sources(paging), number);
    show(session, found, sourceColumns(found.records, session.out.style, Date.now()), 'sources');
  },
  streams: listStreams,
  components: async (session, number) => {
    const client = await session.client();
    show(
      session,
      await readNewest((paging) => client.components(paging), number),
      componentColumns(session),
      'components',
    );
  },
  published: async (session, number) => {
    const client = await session.client();
    const found = await readNewest((paging) => client.components({ ...paging, published: true }), number);
    show(session, found, publishedColumns(session), 'published components');
  },
  webhooks: listWebhooks,
  subscriptions: listSubscriptions,
};

/** Lists the URLs at which any client of server-sent events can follow events. */
async function listStreams(session: Session, number: number): Promise<void> {
  const connection = await session.connection();
  const client = await session.client(connection);
  const { records, total } = await readNewest((paging) => client.sources(paging), number);
  const streams = records.map(({ id, name }) => ({ id, name, sse: `${connection.url}/v1/sources/${id}/sse` }));
  show(session, { records: streams, total }, streamColumns(session.out.style), 'streams');
}

export async function listWebhooks(session: Session, number: number): Promise<void> {
  const client = await session.client();
  show(session, await readNewest((paging) => client.webhooks(paging), number), webhookColumns(session), 'webhooks');
}

/** `filter`: only those with this source or webhook; absent: all. */
export async function listSubscriptions(
  session: Session,
  number: number,
  filter: Pick<SubscriptionsRequest, 'emitter_id' | 'listener_id'> = {},
): Promise<void> {
  const client = await session.client();
  const found = await readNewest((paging) => client.subscriptions({ ...filter, ...paging }), number);
  show(session, found, subscriptionColumns(session.out.style), 'subscriptions');
}

function show<T>(
  { out }: Session,
  { records, total }: NewestRecords<T>,
  columns: readonly Column<T>[],
  what: string,
): void {
  out.printTable(records, columns);
  if (total === 0) out.note(`There are no ${what}.`);
  else if (records.length < total) out.note(cutNote(records.length, total, what));
}

const ago = ({ created_at }: { readonly created_at: number }): string =>
  formatRelativeTime(created_at * 1_000, Date.now());

const streamColumns = (style: Style): readonly Column<{ id: string; name: string | null; sse: string }>[] => [
  // The id is also in the URL.
  { title: 'ID', value: ({ id }) => id, isNeverCut: true, isOptional: true },
  { title: 'NAME', value: ({ name }) => name, paint: style.name },
  { title: 'SSE', value: ({ sse }) => sse, isNeverCut: true },
];

const componentColumns = ({ out }: Session): readonly Column<ComponentSummary>[] => [
  { title: 'ID', value: ({ id }) => id, isNeverCut: true },
  { title: 'KEY', value: ({ key }) => key, isNeverCut: true, paint: out.style.name },
  { title: 'VERSION', value: ({ version }) => version },
  { title: 'NAME', value: ({ name }) => name },
  { title: 'SAVED', value: ago, isNeverCut: true, isOptional: true },
];

const publishedColumns = ({ out }: Session): readonly Column<ComponentSummary>[] => [
  { title: 'ID', value: ({ id }) => id, isNeverCut: true },
  { title: 'NAME', value: ({ name }) => name },
  { title: 'VERSION', value: ({ version }) => version },
  {
    title: 'UPDATED',
    value: ({ updated_at }) => formatRelativeTime(updated_at * 1_000, Date.now()),
    isNeverCut: true,
    isOptional: true,
  },
  { title: 'KEY', value: ({ key }) => key, isNeverCut: true, paint: out.style.name },
];

const webhookColumns = ({ out }: Session): readonly Column<Webhook>[] => [
  { title: 'ID', value: ({ id }) => id, isNeverCut: true },
  { title: 'NAME', value: ({ name }) => name, paint: out.style.name },
  {
    title: 'STATE',
    value: webhookState,
    isNeverCut: true,
    paint: (text) => paintState(text, out.style),
  },
  { title: 'ORDER', value: orderOf, isOptional: true },
  { title: 'CREATED', value: ago, isNeverCut: true, isOptional: true },
  { title: 'URL', value: ({ url }) => url },
];

const subscriptionColumns = (style: Style): readonly Column<Subscription>[] => [
  { title: 'ID', value: ({ id }) => id, isNeverCut: true },
  { title: 'SOURCE', value: ({ emitter_id }) => emitter_id, isNeverCut: true },
  { title: 'LISTENER', value: ({ listener_id }) => listener_id, isNeverCut: true, paint: style.name },
  { title: 'CHANNEL', value: ({ event_name }) => (event_name === '' ? 'all' : event_name) },
  { title: 'CREATED', value: ago, isNeverCut: true, isOptional: true },
];

async function describe(session: Session, _: object, nameOrId: string): Promise<void> {
  const { out } = session;
  const client: Client = await session.client();
  const source = await findSource(client, nameOrId);
  out.printResult(source, () => showSource(source, out.style));
}
