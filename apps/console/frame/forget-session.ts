// Ends a visit: removes everything of it from the page and from memory.
import type { QueryClient } from '@tanstack/react-query';

/** The session's own query is kept, because the page is drawn from it. */
export function forgetSession(queries: QueryClient): void {
  queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' });
  queries.setQueryData(['session'], null);
}
