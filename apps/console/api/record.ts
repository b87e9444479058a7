// Loads one record of the API and keeps it fresh; runs changes of records, and refreshes what they concern.
import { useRef } from 'react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { UseMutationResult, UseQueryResult } from '@tanstack/react-query';
import { notifications } from '@mantine/notifications';
import { get } from './http.ts';
import { problemOf } from './problem.ts';

interface Enveloped<T> {
  readonly data: T;
}

/** A record that is gone is no longer shown: it would look as if it still existed. */
export function useRecord<T>(path: string | undefined, refetchMs?: number): UseQueryResult<T> {
  const record = useQuery({
    queryKey: ['record', path],
    queryFn: async ({ signal }) => (await get<Enveloped<T>>(path ?? '', { signal })).data,
    enabled: path !== undefined,
    ...(refetchMs === undefined ? {} : { refetchInterval: refetchMs }),
  });
  const isDeleted = record.error !== null && problemOf(record.error).status === 404;
  return isDeleted ? ({ ...record, data: undefined } as UseQueryResult<T>) : record;
}

interface ChangeOptions<T> {
  /** Shown when the change is done. */
  readonly doneMessage?: string;
  readonly onDone?: (result: T) => void;
  /** No notification of a failure: the page shows the problem itself. */
  readonly quiet?: boolean;
}

/**
 * Afterwards everything that is shown is asked for again: a change of one record shows in several lists. While it is
 * under way it is not begun again: a double click, or Enter twice, would create two of what is created.
 */
export function useChange<T, V = void>(
  change: (value: V) => Promise<T>,
  { doneMessage, onDone, quiet = false }: ChangeOptions<T> = {},
): UseMutationResult<T, Error, V> {
  const queries = useQueryClient();
  const isInFlight = useRef(false);
  const mutation = useMutation({
    mutationFn: change,
    onSettled: () => {
      isInFlight.current = false;
    },
    onSuccess: (result) => {
      // What components have answered is kept until the question changes.
      void queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'asked' });
      if (doneMessage !== undefined) notifications.show({ message: doneMessage, autoClose: 4_000 });
      onDone?.(result);
    },
    onError: (error) => {
      if (!quiet) notifications.show({ color: 'red', title: 'Not done', message: problemOf(error).message });
    },
  });
  const mutate: typeof mutation.mutate = (...args) => {
    if (isInFlight.current) return;
    isInFlight.current = true;
    mutation.mutate(...args);
  };
  return { ...mutation, mutate };
}
