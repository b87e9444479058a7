// Finds the record that the user names, by its id or its name.
import type { Client, Page, Paging, Source, Subscription, Webhook } from '../../../libs/client/index.ts';
import { plainLine } from '../output/plain-text.ts';
import { isApiError } from '../failures/explain.ts';
import { exitCodes, Failure, usageFailure } from '../failures/failure.ts';
import { readNewest } from './pages.ts';

/** Enough to show that a name is ambiguous. */
const shownMax = 10;
/** The service's limits, in UTF-16 units: for names and slugs of sources, and for names and URLs of webhooks. */
const [nameCharsMax, webhookNameCharsMax, urlCharsMax] = [1_000, 255, 2_048];

const looksLikeId = (prefix: string, text: string): boolean => new RegExp(`^${prefix}_[0-9A-Za-z]{16}$`).test(text);

/** Finds by id, name or slug. A name precedes the slug of another source; throws if several match. */
export async function findSource(client: Client, nameOrId: string): Promise<Source> {
  if (looksLikeId('dc', nameOrId)) return requireRecord('source', nameOrId, client.source(nameOrId), 'pd list sources');
  const [byName, bySlug] = await Promise.all([
    findMatching(nameOrId, nameCharsMax, (paging) => client.sources({ ...paging, name: nameOrId })),
    findMatching(nameOrId, nameCharsMax, (paging) => client.sources({ ...paging, name_slug: nameOrId })),
  ]);
  if (byName[0] !== undefined && byName.length === 1) return byName[0];
  // A slug that is also the name of several sources is ambiguous.
  const hint = bySlug.length > 0 ? 'Name one by its id.' : sourceLookup.hint;
  return requireSingle(mergeById(byName, bySlug), { ...sourceLookup, named: nameOrId, hint });
}

const sourceLookup = {
  kind: 'source',
  list: 'pd list sources',
  label: ({ id, name_slug }: Source) => (name_slug === null ? id : `${id} (${name_slug})`),
  hint: 'Name one by its slug, in brackets here, or by its id.',
};

/** Finds by id, name or URL; throws if several match. */
export async function findWebhook(client: Client, nameOrId: string): Promise<Webhook> {
  if (looksLikeId('wh', nameOrId))
    return requireRecord('webhook', nameOrId, client.webhook(nameOrId), 'pd list webhooks');
  const [byName, byUrl] = await Promise.all([
    findMatching(nameOrId, webhookNameCharsMax, (paging) => client.webhooks({ ...paging, name: nameOrId })),
    findMatching(nameOrId, urlCharsMax, (paging) => client.webhooks({ ...paging, url: nameOrId })),
  ]);
  return requireSingle(mergeById(byName, byUrl), {
    kind: 'webhook',
    named: nameOrId,
    list: 'pd list webhooks',
    label: ({ id, url }) => `${id} (${url})`,
    hint: 'Name one by its id.',
  });
}

/** Finds by id, because subscriptions have no names. */
export const findSubscription = (client: Client, id: string): Promise<Subscription> =>
  requireRecord('subscription', id, client.subscription(id), 'pd list subscriptions');

type Finder = (client: Client, nameOrId: string) => Promise<{ readonly id: string }>;

/** The id of the first match. Undefined: there is none. */
export async function firstIdOf(
  client: Client,
  nameOrId: string,
  finders: readonly Finder[],
): Promise<string | undefined> {
  for (const find of finders) {
    try {
      return (await find(client, nameOrId)).id;
    } catch (error) {
      if (!(error instanceof Failure) || error.exitCode !== exitCodes.notFound) throw error;
    }
  }
  return undefined;
}

/** Throws a Failure that names the missing record and the command that lists them; other errors pass unchanged. */
export async function requireRecord<T>(kind: string, nameOrId: string, record: Promise<T>, list: string): Promise<T> {
  try {
    return await record;
  } catch (error) {
    throw isApiError(error) && error.code === 'not_found' ? missingFailure({ kind, named: nameOrId, list }) : error;
  }
}

const missingFailure = ({
  kind,
  named: nameOrId,
  list,
}: Pick<RecordLookup<never>, 'kind' | 'named' | 'list'>): Failure =>
  new Failure(`There is no ${kind} "${plainLine(nameOrId)}".`, exitCodes.notFound, `\`${list}\` shows them.`);

/** One more than is shown, to know whether there are more. */
const readMax = shownMax + 1;

/** None for a text that the service would reject, because no record can have it. */
async function findMatching<T>(
  text: string,
  charsMax: number,
  read: (paging: Paging) => Promise<Page<T>>,
): Promise<readonly T[]> {
  if (text === '' || text.length > charsMax) return [];
  return (await readNewest(read, readMax)).records;
}

const mergeById = <T extends { readonly id: string }>(some: readonly T[], others: readonly T[]): readonly T[] => [
  ...some,
  ...others.filter(({ id }) => some.every((one) => one.id !== id)),
];

interface RecordLookup<T> {
  readonly kind: string;
  readonly named: string;
  /** The command that lists such records. */
  readonly list: string;
  readonly label: (record: T) => string;
  /** How to name one of several. */
  readonly hint: string;
}

function requireSingle<T>(records: readonly T[], { kind, named: nameOrId, list, label, hint }: RecordLookup<T>): T {
  const [first, ...others] = records;
  if (first === undefined) throw missingFailure({ kind, named: nameOrId, list });
  if (others.length === 0) return first;
  const labels = records.slice(0, shownMax).map((record) => plainLine(label(record)));
  const [count, suffix] = records.length > shownMax ? [`More than ${shownMax}`, ' and others'] : [records.length, ''];
  throw usageFailure(`${count} ${kind}s are named "${plainLine(nameOrId)}": ${labels.join(', ')}${suffix}.`, hint);
}
