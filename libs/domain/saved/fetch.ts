// Decides to fetch code by URL or from the registry, once. Runtime puts the code on the log; another command uses it.
import { trigger } from '../source/process/deploy.ts';
import type { HookEvent, CodeFetched } from '../source/messages.ts';
import { findEarlierRequest } from '../definition/recorded-requests.ts';
import type { RecordedRequests } from '../definition/recorded-requests.ts';
import type { Millis } from '../message.ts';
import type { SavedDecided } from './decide.ts';
import type { CodeCommand } from './messages.ts';

const revision = 1;

/** Needs no state: the trigger has one outcome, which is passed on once. */
export function decideFetch(
  requests: RecordedRequests,
  { data, workspace }: CodeCommand,
  at: Millis,
): readonly SavedDecided[] {
  const { fetchId, url, find, ...request } = data;
  if (findEarlierRequest(requests, { workspace, id: fetchId, at, request }) !== undefined)
    return [refused(fetchId, 'repeated', 'The request that needs this code was made before.')];
  const describe = trigger(fetchId, revision, 'describe');
  return [
    {
      ...describe,
      data: { ...describe.data, ...(url === undefined ? {} : { url }), ...(find === undefined ? {} : { find }) },
    },
  ];
}

/** `offset`: of the outcome on `hooks`. `saves`, which is kept for ever, refers to it and does not copy the code. */
export function decideFetched({ type, data }: HookEvent | CodeFetched, offset: number): readonly SavedDecided[] {
  const fetchId = data.sourceId;
  if (type === 'CodeFetched') return [{ type: 'ComponentFetched', data: { fetchId, hooksOffset: offset } }];
  if (type === 'ComponentsListed') return [{ type: 'ComponentsFound', data: { fetchId, hooksOffset: offset } }];
  if (type === 'HookFailed' && data.error.name === unknownKeyError)
    return [refused(fetchId, 'unknown_key', data.error.message)];
  const reason = type === 'HookFailed' ? data.error.message : 'there was no code';
  return [refused(fetchId, 'fetch_failed', `The code could not be fetched: ${reason}.`)];
}

export const decideUnusableFetch = (fetchId: string, message: string): readonly SavedDecided[] => [
  refused(fetchId, 'fetch_failed', message),
];

/** The name of the error for a key that the registry does not have. */
export const unknownKeyError = 'UnknownKeyError';

type FetchRefusal = 'repeated' | 'fetch_failed' | 'unknown_key';

export const isFetchId = (id: string): boolean => id.startsWith('fetch_');

const refused = (fetchId: string, reason: FetchRefusal, message: string): SavedDecided => ({
  type: 'ComponentFetchRefused',
  data: { fetchId, reason, message },
});
