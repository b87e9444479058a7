// Loads the options that a component computes for a prop, page by page, with a search if the prop allows it.
import { useInfiniteQuery } from '@tanstack/react-query';
import { post } from '../../api/http.ts';
import type { ConfigurableProp, PropOptions } from '../../api/records.ts';
import type { ComponentRef, Values } from './component-ref.ts';
import { labelledChoice, shownValue } from './prop-kinds.ts';
import type { Choice } from './prop-kinds.ts';

/** Limits a component that would return new options without end. */
const optionPagesMax = 100;
const optionsFreshMs = 60_000;

export interface RemoteOptions {
  readonly choices: readonly Choice[];
  readonly isLoading: boolean;
  readonly error: unknown;
  readonly hasMore: boolean;
  readonly loadMore: () => void;
}

interface RemoteOptionsQuery {
  readonly componentRef: ComponentRef;
  readonly prop: ConfigurableProp;
  /** The options can depend on the values of the other props. */
  readonly values: Values;
  /** The search text, if the prop can be searched. */
  readonly query: string | undefined;
  readonly enabled: boolean;
}

interface PageParam {
  readonly page: number;
  readonly prev_context: unknown;
}

export function useRemoteOptions({ componentRef, prop, values, query, enabled }: RemoteOptionsQuery): RemoteOptions {
  const list = useInfiniteQuery({
    queryKey: ['asked', 'options', componentRef, prop.name, query, values],
    queryFn: async ({ pageParam }) => {
      const queryField = query === undefined ? {} : { query };
      const request = {
        ...componentRef.body,
        configured_props: values,
        prop_name: prop.name,
        ...pageParam,
        ...queryField,
      };
      return (await post<{ readonly data: PropOptions }>(`${componentRef.path}/configure`, request)).data;
    },
    initialPageParam: { page: 0, prev_context: null } as PageParam,
    getNextPageParam: (page, pages): PageParam | undefined =>
      pages.length < optionPagesMax && hasNewChoices(pages.map((one) => choicesOfPage(prop, one)))
        ? { page: pages.length, prev_context: page.context }
        : undefined,
    enabled,
    staleTime: optionsFreshMs,
  });
  return {
    choices: uniqueChoices((list.data?.pages ?? []).flatMap((page) => choicesOfPage(prop, page))),
    isLoading: list.isFetching,
    error: list.error,
    hasMore: list.hasNextPage,
    loadMore: () => void list.fetchNextPage(),
  };
}

const choicesOfPage = (prop: ConfigurableProp, { options, string_options = [] }: PropOptions): readonly Choice[] =>
  (options ?? string_options.map((text) => ({ label: text, value: text }))).map((option) => ({
    label: option.label === '' ? shownValue(option.value) : option.label,
    value: labelledChoice(prop, prop.withLabel === true ? option : option.value),
  }));

function uniqueChoices(choices: readonly Choice[]): readonly Choice[] {
  return [...new Map(choices.map((choice) => [choice.value, choice])).values()];
}

/** Whether the last page has new options: many components return the same single page for any page number. */
function hasNewChoices(pages: readonly (readonly Choice[])[]): boolean {
  const earlierValues = new Set(pages.slice(0, -1).flatMap((page) => page.map(({ value }) => value)));
  return (pages.at(-1) ?? []).some(({ value }) => !earlierValues.has(value));
}
