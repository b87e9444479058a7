// Reads single documents of the caller's workspace; for the caller no others exist.
import type { TopicName } from '../../../domain/flow.ts';
import type { IdPrefix } from '../../../domain/id.ts';
import { isId } from '../../../domain/id.ts';
import type { RecordOn } from '../../../domain/messages-of.ts';
import type {
  AccountView,
  DeliveryView,
  SourceView,
  SubscriptionView,
  WebhookView,
} from '../../../domain/views/index.ts';
import type { View, ViewValue } from '../../../domain/views/view.ts';
import type { ViewDocument } from '../../../view-store/view-store.ts';
import type { Caller } from '../control/api-keys.ts';
import type { Parts } from '../parts/parts.ts';
import { UnfilledError } from '../views/filled-views.ts';
import { ApiProblem, notFound } from '../http/api-problem.ts';
import { expiredCursor, idOfCursor } from '../http/pages/cursor.ts';
import type { ListPosition } from './lists/paged-list.ts';

/** Throws ApiProblem 404 for text that cannot be an id, without a look-up. */
export function checkId(prefix: IdPrefix, id: string): void {
  if (!isId(prefix, id)) throw notFound();
}

/** Undefined: unknown, deleted, or of another workspace. */
export async function findOwned<V extends ViewValue>(
  parts: Parts<'views'>,
  caller: Caller,
  view: string,
  id: string,
): Promise<V | undefined> {
  const value = (await parts.views().get(view, id))?.value as V | undefined;
  return value?.['workspace'] === caller.workspace ? value : undefined;
}

/** The views whose documents are read by their ids. */
interface OwnedViews {
  readonly accounts: AccountView;
  readonly deliveries: DeliveryView;
  readonly sources: SourceView;
  readonly subscriptions: SubscriptionView;
  readonly webhooks: WebhookView;
}

const idPrefixes = {
  accounts: 'apn',
  deliveries: 'msg',
  sources: 'dc',
  subscriptions: 'sub',
  webhooks: 'wh',
} as const satisfies Record<keyof OwnedViews, IdPrefix>;

/** The document that a path names. Throws ApiProblem 404: unknown, deleted, or of another workspace. */
export async function readOwned<K extends keyof OwnedViews>(
  parts: Parts<'views'>,
  caller: Caller,
  view: K,
  id: string,
): Promise<OwnedViews[K]> {
  checkId(idPrefixes[view], id);
  const value = await findOwned<OwnedViews[K]>(parts, caller, view, id);
  if (value === undefined) throw notFound();
  return value;
}

/** A document that a command has just created or named. Throws ApiProblem 503 while the views do not show it. */
export async function findShown<V extends ViewValue>(
  parts: Parts<'views'>,
  caller: Caller,
  view: string,
  id: string,
): Promise<V> {
  return (await readShownDocument(parts, caller, view, id)).value as V;
}

/**
 * A document after `outcome` or later records: while the views lag, an answer must not show the former state.
 * Throws ApiProblem 503 while they do not show the document at all.
 */
export async function findChanged<T extends TopicName, V extends ViewValue>(
  parts: Parts<'views'>,
  caller: Caller,
  view: View<T, V>,
  outcome: RecordOn<T>,
): Promise<V> {
  const id = view.idOf(outcome);
  if (id === undefined) throw new Error(`${outcome.type} changes no document of ${view.definition.name}`);
  const { version, value } = await readShownDocument(parts, caller, view.definition.name, id);
  const current = value as V;
  return version < outcome.offset ? (view.evolve(current, outcome) ?? current) : current;
}

async function readShownDocument(
  parts: Parts<'views'>,
  caller: Caller,
  view: string,
  id: string,
): Promise<ViewDocument> {
  const document = await parts
    .views()
    .get(view, id)
    .catch((error: unknown) => {
      if (!(error instanceof UnfilledError)) throw error;
      return undefined;
    });
  if (document?.value['workspace'] === caller.workspace) return document;
  throw new ApiProblem(503, 'unavailable', `${id} was accepted but cannot be shown yet: get it a little later.`, {
    details: { id },
    headers: { 'retry-after': '1' },
  });
}

/** The place of a cursor in a list sorted by `createdAt`, even if its record was deleted. Throws ApiProblem 400. */
export function positionByCreation(
  parts: Parts<'deleted' | 'views'>,
  caller: Caller,
  view: string,
  prefix: IdPrefix,
): (cursor: string) => Promise<ListPosition> {
  return async (cursor) => {
    const id = idOfCursor(cursor, (text) => isId(prefix, text));
    const value = await findOwned<ViewValue & { readonly createdAt: number }>(parts, caller, view, id);
    if (value !== undefined) return { sort: value.createdAt, id };
    const deleted = parts.deleted.find(id);
    if (deleted?.workspace !== caller.workspace) throw expiredCursor();
    return { sort: deleted.createdAt, id };
  };
}
