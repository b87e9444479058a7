// The session for pages, and signing out.
import { useQuery } from '@tanstack/react-query';
import type { UseQueryResult } from '@tanstack/react-query';
import { currentSession } from './session.ts';
import type { Session } from './session.ts';

/** The key may be revoked elsewhere, also while the page in view asks the service for nothing. */
const refetchMs = 15_000;

/** Null: nobody is signed in. */
export const useSession = (): UseQueryResult<Session | null> =>
  useQuery({
    queryKey: ['session'],
    queryFn: currentSession,
    staleTime: Infinity,
    refetchInterval: ({ state: { data } }) => (data === null ? false : refetchMs),
    refetchOnWindowFocus: ({ state: { data } }) => (data === null ? false : 'always'),
  });

/** Whether the key of the session may change anything. */
export const useCanWrite = (): boolean => useSession().data?.scopes.includes('write') ?? true;
