// Resolves the SUBJECT of `pd history`: any id, or the name of a source or webhook.
import type { Client } from '../../../../libs/client/index.ts';
import { isApiError } from '../../failures/explain.ts';
import { exitCodes, Failure, usageFailure } from '../../failures/failure.ts';
import { plainLine } from '../../output/plain-text.ts';
import { findSource, findWebhook, firstIdOf } from '../../records/find.ts';

/** Ids of records (those of requests and ticks contain their time), of events, and the id for every source. */
const isId = (text: string): boolean =>
  /^(?:[a-z]+_(?:[0-9A-Za-z]{16}|[0-9A-Za-z]{20})|\d{1,16}-\d{1,16}|dc_\*)$/.test(text);

/** Does not check an id, because history outlives its subject. Throws a Failure if nothing has the name. */
export async function subjectOf(client: Client, nameOrId: string): Promise<string> {
  if (isId(nameOrId)) return nameOrId;
  const found = await firstIdOf(client, nameOrId, [findSource, findWebhook]).catch((error: unknown) => {
    if (!isApiError(error) || error.status !== 403) throw error;
    throw usageFailure(`"${plainLine(nameOrId)}" is no id, and this API key may not look up names.`, 'Give an id.');
  });
  if (found !== undefined) return found;
  throw new Failure(
    `There is no source or webhook "${plainLine(nameOrId)}".`,
    exitCodes.notFound,
    'Give anything else, and what was deleted, by its id.',
  );
}
