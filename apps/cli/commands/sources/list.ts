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
import { relativeTime } from '../../output/times.ts';
import { orderOf, webhookState } from '../../output/webhook-state.ts';
import type { AddCommand } from '../../session/command.ts';
import type { Session } from '../../session/session.ts';
import { findSource } from '../../records/find.ts';
import { newest } from '../../records/pages.ts';
import type { Some } from '../../records/pages.ts';
import { cutNote, numberOption } from '../arguments.ts';

const resources = ['sources', 'streams', 'components', 'published', 'webhooks', 'subscriptions'] as const;
type Resource = (typeof resources)[number];

/** Short names, which the hosted service uses too. */
const otherNames: Readonly<Record<string, Resource>> = { so: 'sources', st: 'streams' };

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
    .addArgument(new Argument('[resource]', 'what to list').choices([...resources, ...Object.keys(otherNames)]))
    .addOption(numberOption())
    .action(runner.run(list));
  program
    .command('describe <source>')
    .summary('show a source')
    .description('Shows a source: its state, endpoint, props, last run and last error.')
    .action(runner.run(describe));
};

async function list(session: Session, { number }: ListOptions, named: string | undefined): Promise<void> {
  const resource = named === undefined ? await askResource(session) : (otherNames[named] ?? (named as Resource));
  await listed[resource](session, number);
}

async function askResource(session: Session): Promise<Resource> {
  const prompts = await session.prompts('Say what to list.', `It is one of: ${resources.join(', ')}.`);
  return prompts.choose(
    'Which would you like to list?',
    resources.map((value) => ({ value, label: value })),
  );
}

const listed: Readonly<Record<Resource, (session: Session, number: number) => Promise<void>>> = {
  sources: async (session, number) => {
    const client = await session.client();
    const found = await newest((paging) => client.sources(paging), number);
    show(session, found, sourceColumns(found.records, session.out.style, Date.now()), 'sources');
  },
  streams: listStreams,
  components: async (session, number) => {
    const client = await session.client();
    show(session, await newest((paging) => client.components(paging), number), componentColumns(session), 'components');
  },
  published: async (session, number) => {
    const client = await session.client();
    const found = await newest((paging) => client.components({ ...paging, published: true }), number);
    show(session, found, publishedColumns(session), 'published components');
  },
  webhooks: listWebhooks,
  subscriptions: listSubscriptions,
};

/** Lists the URLs at which any client of server-sent events can follow events. */
async function listStreams(session: Session, number: number): Promise<void> {
  const connection = await session.connection();
  const client = await session.client(connection);
  const { records, total } = await newest((paging) => client.sources(paging), number);
  const streams = records.map(({ id, name }) => ({ id, name, sse: `${connection.url}/v1/sources/${id}/sse` }));
  show(session, { records: streams, total }, streamColumns(session.out.style), 'streams');
}

export async function listWebhooks(session: Session, number: number): Promise<void> {
  const client = await session.client();
  show(session, await newest((paging) => client.webhooks(paging), number), webhookColumns(session), 'webhooks');
}

/** `of`: only those with this source or webhook; absent: all. */
export async function listSubscriptions(
  session: Session,
  number: number,
  of: Pick<SubscriptionsRequest, 'emitter_id' | 'listener_id'> = {},
): Promise<void> {
  const client = await session.client();
  const found = await newest((paging) => client.subscriptions({ ...of, ...paging }), number);
  show(session, found, subscriptionColumns(session.out.style), 'subscriptions');
}

function show<T>({ out }: Session, { records, total }: Some<T>, columns: readonly Column<T>[], what: string): void {
  out.table(records, columns);
  if (total === 0) out.note(`There are no ${what}.`);
  else if (records.length < total) out.note(cutNote(records.length, total, what));
}

const ago = ({ created_at }: { readonly created_at: number }): string => relativeTime(created_at * 1_000, Date.now());

const streamColumns = (style: Style): readonly Column<{ id: string; name: string | null; sse: string }>[] => [
  // The id is also in the URL.
  { title: 'ID', of: ({ id }) => id, isWhole: true, isSpare: true },
  { title: 'NAME', of: ({ name }) => name, paint: style.name },
  { title: 'SSE', of: ({ sse }) => sse, isWhole: true },
];

const componentColumns = ({ out }: Session): readonly Column<ComponentSummary>[] => [
  { title: 'ID', of: ({ id }) => id, isWhole: true },
  { title: 'KEY', of: ({ key }) => key, isWhole: true, paint: out.style.name },
  { title: 'VERSION', of: ({ version }) => version },
  { title: 'NAME', of: ({ name }) => name },
  { title: 'SAVED', of: ago, isWhole: true, isSpare: true },
];

const publishedColumns = ({ out }: Session): readonly Column<ComponentSummary>[] => [
  { title: 'ID', of: ({ id }) => id, isWhole: true },
  { title: 'NAME', of: ({ name }) => name },
  { title: 'VERSION', of: ({ version }) => version },
  {
    title: 'UPDATED',
    of: ({ updated_at }) => relativeTime(updated_at * 1_000, Date.now()),
    isWhole: true,
    isSpare: true,
  },
  { title: 'KEY', of: ({ key }) => key, isWhole: true, paint: out.style.name },
];

const webhookColumns = ({ out }: Session): readonly Column<Webhook>[] => [
  { title: 'ID', of: ({ id }) => id, isWhole: true },
  { title: 'NAME', of: ({ name }) => name, paint: out.style.name },
  {
    title: 'STATE',
    of: webhookState,
    isWhole: true,
    paint: (text) => paintState(text, out.style),
  },
  { title: 'ORDER', of: orderOf, isSpare: true },
  { title: 'CREATED', of: ago, isWhole: true, isSpare: true },
  { title: 'URL', of: ({ url }) => url },
];

const subscriptionColumns = (style: Style): readonly Column<Subscription>[] => [
  { title: 'ID', of: ({ id }) => id, isWhole: true },
  { title: 'SOURCE', of: ({ emitter_id }) => emitter_id, isWhole: true },
  { title: 'LISTENER', of: ({ listener_id }) => listener_id, isWhole: true, paint: style.name },
  { title: 'CHANNEL', of: ({ event_name }) => (event_name === '' ? 'all' : event_name) },
  { title: 'CREATED', of: ago, isWhole: true, isSpare: true },
];

async function describe(session: Session, _: object, named: string): Promise<void> {
  const { out } = session;
  const client: Client = await session.client();
  const source = await findSource(client, named);
  out.result(source, () => showSource(source, out.style));
}
