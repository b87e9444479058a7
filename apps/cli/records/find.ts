// Finds the record that the user names, by its id or its name.
import type { Client, Page, Paging, Source, Subscription, Webhook } from '../../../libs/client/index.ts';
import { plainLine } from '../output/plain-text.ts';
import { isApiError } from '../failures/explain.ts';
import { exitCodes, Failure, usageFailure } from '../failures/failure.ts';
import { newest } from './pages.ts';

/** Enough to show that a name is ambiguous. */
const shownMax = 10;
/** The service's limits, in UTF-16 units: for names and slugs of sources, and for names and URLs of webhooks. */
const [nameCharsMax, webhookNameCharsMax, urlCharsMax] = [1_000, 255, 2_048];

const looksLikeId = (prefix: string, text: string): boolean => new RegExp(`^${prefix}_[0-9A-Za-z]{16}$`).test(text);

/** Finds by id, name or slug. A name precedes the slug of another source; throws if several match. */
export async function findSource(client: Client, named: string): Promise<Source> {
  if (looksLikeId('dc', named)) return shown('source', named, client.source(named), 'pd list sources');
  const [byName, bySlug] = await Promise.all([
    having(named, nameCharsMax, (paging) => client.sources({ ...paging, name: named })),
    having(named, nameCharsMax, (paging) => client.sources({ ...paging, name_slug: named })),
  ]);
  if (byName[0] !== undefined && byName.length === 1) return byName[0];
  // A slug that is also the name of several sources is ambiguous.
  const hint = bySlug.length > 0 ? 'Name one by its id.' : soughtSource.hint;
  return only(together(byName, bySlug), { ...soughtSource, named, hint });
}

const soughtSource = {
  kind: 'source',
  list: 'pd list sources',
  label: ({ id, name_slug }: Source) => (name_slug === null ? id : `${id} (${name_slug})`),
  hint: 'Name one by its slug, in brackets here, or by its id.',
};

/** Finds by id, name or URL; throws if several match. */
export async function findWebhook(client: Client, named: string): Promise<Webhook> {
  if (looksLikeId('wh', named)) return shown('webhook', named, client.webhook(named), 'pd list webhooks');
  const [byName, byUrl] = await Promise.all([
    having(named, webhookNameCharsMax, (paging) => client.webhooks({ ...paging, name: named })),
    having(named, urlCharsMax, (paging) => client.webhooks({ ...paging, url: named })),
  ]);
  return only(together(byName, byUrl), {
    kind: 'webhook',
    named,
    list: 'pd list webhooks',
    label: ({ id, url }) => `${id} (${url})`,
    hint: 'Name one by its id.',
  });
}

/** Finds by id, because subscriptions have no names. */
export const findSubscription = (client: Client, id: string): Promise<Subscription> =>
  shown('subscription', id, client.subscription(id), 'pd list subscriptions');

type Find = (client: Client, named: string) => Promise<{ readonly id: string }>;

/** The id of the first match. Undefined: there is none. */
export async function firstIdOf(client: Client, named: string, finders: readonly Find[]): Promise<string | undefined> {
  for (const find of finders) {
    try {
      return (await find(client, named)).id;
    } catch (error) {
      if (!(error instanceof Failure) || error.exitCode !== exitCodes.notFound) throw error;
    }
  }
  return undefined;
}

/** Throws a Failure that names the missing record and the command that lists them; other errors pass unchanged. */
export async function shown<T>(kind: string, named: string, record: Promise<T>, list: string): Promise<T> {
  try {
    return await record;
  } catch (error) {
    throw isApiError(error) && error.code === 'not_found' ? missing({ kind, named, list }) : error;
  }
}

const missing = ({ kind, named, list }: Pick<Sought<never>, 'kind' | 'named' | 'list'>): Failure =>
  new Failure(`There is no ${kind} "${plainLine(named)}".`, exitCodes.notFound, `\`${list}\` shows them.`);

/** One more than is shown, to know whether there are more. */
const askedMax = shownMax + 1;

/** None for a text that the service would reject, because no record can have it. */
async function having<T>(
  text: string,
  charsMax: number,
  read: (paging: Paging) => Promise<Page<T>>,
): Promise<readonly T[]> {
  if (text === '' || text.length > charsMax) return [];
  return (await newest(read, askedMax)).records;
}

const together = <T extends { readonly id: string }>(some: readonly T[], others: readonly T[]): readonly T[] => [
  ...some,
  ...others.filter(({ id }) => some.every((one) => one.id !== id)),
];

interface Sought<T> {
  readonly kind: string;
  readonly named: string;
  /** The command that lists such records. */
  readonly list: string;
  readonly label: (record: T) => string;
  /** How to name one of several. */
  readonly hint: string;
}

function only<T>(records: readonly T[], { kind, named, list, label, hint }: Sought<T>): T {
  const [first, ...others] = records;
  if (first === undefined) throw missing({ kind, named, list });
  if (others.length === 0) return first;
  const labels = records.slice(0, shownMax).map((record) => plainLine(label(record)));
  const [count, rest] = records.length > shownMax ? [`More than ${shownMax}`, ' and others'] : [records.length, ''];
  throw usageFailure(`${count} ${kind}s are named "${plainLine(named)}": ${labels.join(', ')}${rest}.`, hint);
}
