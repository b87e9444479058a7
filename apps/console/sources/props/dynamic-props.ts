// Asks a component which props it has, given the values so far.
import { useEffect, useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { post } from '../../api/http.ts';
import type { ConfigurableProp, PropsForValues } from '../../api/records.ts';
import { useDebounced } from '../../parts/hooks/debounced.ts';
import { currentValues } from './component-ref.ts';
import type { ComponentRef, Values } from './component-ref.ts';
import { draftsOf } from './prop-values.ts';
import type { Drafts } from './prop-values.ts';

export interface DynamicProps {
  readonly props: readonly ConfigurableProp[];
  readonly isLoading: boolean;
  readonly error: unknown;
  /** Asks again, even if no prop declares that others depend on it. */
  readonly refresh: () => void;
}

interface DynamicPropsOptions {
  /** Undefined: there is no component to ask yet. */
  readonly componentRef: ComponentRef | undefined;
  /** The props that are known without asking: those for the values in `configured`, unless `isNew`. */
  readonly knownProps: readonly ConfigurableProp[];
  readonly configured: Values;
  readonly isNew: boolean;
  readonly editedDrafts: Drafts;
}

const noComponent: ComponentRef = { path: '', body: {} };

/** Asks the component again when a value changes that other props depend on. */
export function useDynamicProps({
  componentRef,
  knownProps,
  configured,
  isNew,
  editedDrafts,
}: DynamicPropsOptions): DynamicProps {
  const ref = componentRef ?? noComponent;
  const refKey = JSON.stringify(ref);
  const [requestCount, setRequestCount] = useState(0);
  const [lastAnswer, setLastAnswer] = useState<{
    readonly refKey: string;
    readonly props: readonly ConfigurableProp[];
  }>();
  const lastProps = lastAnswer?.refKey === refKey ? lastAnswer.props : knownProps;
  const decisiveValues = (props: readonly ConfigurableProp[], drafts: Drafts): string =>
    JSON.stringify(
      currentValues(
        ref,
        props.filter(({ reloadProps }) => reloadProps === true),
        drafts,
      ),
    );
  const settledValues = useDebounced(decisiveValues(lastProps, draftsOf(lastProps, configured, editedDrafts)));
  const isKnownCurrent = isNew
    ? !knownProps.some(({ reloadProps }) => reloadProps === true)
    : settledValues === decisiveValues(knownProps, draftsOf(knownProps, configured));
  const isUpToDate = componentRef === undefined || (isKnownCurrent && requestCount === 0);
  const props = isUpToDate ? knownProps : lastProps;
  const query = useQuery({
    queryKey: ['asked', 'props', refKey, settledValues, requestCount],
    queryFn: async () => {
      const configured_props = currentValues(ref, props, draftsOf(props, configured, editedDrafts));
      const { data } = await post<{ readonly data: PropsForValues }>(`${ref.path}/props`, {
        ...ref.body,
        configured_props,
      });
      return data.dynamic_props.configurable_props;
    },
    enabled: !isUpToDate,
    staleTime: Infinity,
  });
  const { data } = query;
  useEffect(() => {
    if (data !== undefined) setLastAnswer({ refKey, props: data });
  }, [refKey, data]);
  return {
    props,
    isLoading: query.isFetching,
    error: isUpToDate ? null : query.error,
    refresh: () => setRequestCount(requestCount + 1),
  };
}
