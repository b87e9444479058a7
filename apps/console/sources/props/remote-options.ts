// The options of a prop that its component computes, page by page, searched where it can be.
import { useInfiniteQuery } from '@tanstack/react-query';
import { post } from '../../api/http.ts';
import type { ConfigurableProp, PropOptions } from '../../api/records.ts';
import type { Asked, Values } from './asking.ts';
import { labelledChoice, shownValue } from './prop-kinds.ts';
import type { Choice } from './prop-kinds.ts';

/** A component that gives the same page again and again ends here. */
const optionPagesMax = 100;
const optionsFreshMs = 60_000;

export interface RemoteOptions {
  readonly choices: readonly Choice[];
  readonly isLoading: boolean;
  readonly error: unknown;
  readonly hasMore: boolean;
  readonly loadMore: () => void;
}

interface OptionsOf {
  readonly of: Asked;
  readonly prop: ConfigurableProp;
  /** Options may depend on the values of the other props. */
  readonly values: Values;
  /** What is searched for, if the prop can be searched. */
  readonly query: string | undefined;
  readonly enabled: boolean;
}

interface PageParam {
  readonly page: number;
  readonly prev_context: unknown;
}

export function useRemoteOptions({ of, prop, values, query, enabled }: OptionsOf): RemoteOptions {
  const list = useInfiniteQuery({
    queryKey: ['asked', 'options', of, prop.name, query, values],
    queryFn: async ({ pageParam }) => {
      const searched = query === undefined ? {} : { query };
      const request = { ...of.body, configured_props: values, prop_name: prop.name, ...pageParam, ...searched };
      return (await post<{ readonly data: PropOptions }>(`${of.path}/configure`, request)).data;
    },
    initialPageParam: { page: 0, prev_context: null } as PageParam,
    getNextPageParam: (page, pages): PageParam | undefined =>
      pages.length < optionPagesMax && bringsMore(pages.map((one) => choicesIn(prop, one)))
        ? { page: pages.length, prev_context: page.context }
        : undefined,
    enabled,
    staleTime: optionsFreshMs,
  });
  return {
    choices: distinct((list.data?.pages ?? []).flatMap((page) => choicesIn(prop, page))),
    isLoading: list.isFetching,
    error: list.error,
    hasMore: list.hasNextPage,
    loadMore: () => void list.fetchNextPage(),
  };
}

const choicesIn = (prop: ConfigurableProp, { options, string_options = [] }: PropOptions): readonly Choice[] =>
  (options ?? string_options.map((text) => ({ label: text, value: text }))).map((option) => ({
    label: option.label === '' ? shownValue(option.value) : option.label,
    value: labelledChoice(prop, prop.withLabel === true ? option : option.value),
  }));

function distinct(choices: readonly Choice[]): readonly Choice[] {
  return [...new Map(choices.map((choice) => [choice.value, choice])).values()];
}

/** Many components have one page, and give it whatever page they are asked for. */
function bringsMore(pages: readonly (readonly Choice[])[]): boolean {
  const before = new Set(pages.slice(0, -1).flatMap((page) => page.map(({ value }) => value)));
  return (pages.at(-1) ?? []).some(({ value }) => !before.has(value));
}
