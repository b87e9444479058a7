// The end of a visit: nothing of it stays in the page, neither to be seen nor in memory.
import type { QueryClient } from '@tanstack/react-query';

/** The session's own query stays, since the page is drawn by it. */
export function forgetSession(queries: QueryClient): void {
  queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' });
  queries.setQueryData(['session'], null);
}
