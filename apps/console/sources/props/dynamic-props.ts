// Asks a component which props it has, given the values so far.
import { useEffect, useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { post } from '../../api/http.ts';
import type { ConfigurableProp, PropsForValues } from '../../api/records.ts';
import { useSettled } from '../../parts/hooks/settled.ts';
import { valuesSoFar } from './asking.ts';
import type { Asked, Values } from './asking.ts';
import { draftsOf } from './prop-values.ts';
import type { Drafts } from './prop-values.ts';

export interface DynamicProps {
  readonly props: readonly ConfigurableProp[];
  readonly isAsking: boolean;
  readonly error: unknown;
  /** Asks again, even if no prop declares that others depend on it. */
  readonly ask: () => void;
}

interface PropsOf {
  /** Undefined: there is no component to ask yet. */
  readonly of: Asked | undefined;
  /** The props that are known without asking: those for the values in `configured`, unless `isNew`. */
  readonly known: readonly ConfigurableProp[];
  readonly configured: Values;
  readonly isNew: boolean;
  readonly kept: Drafts;
}

const nothing: Asked = { path: '', body: {} };

/** Asks the component again when a value changes that other props depend on. */
export function useDynamicProps({ of, known, configured, isNew, kept }: PropsOf): DynamicProps {
  const asked = of ?? nothing;
  const about = JSON.stringify(asked);
  const [asks, setAsks] = useState(0);
  const [last, setLast] = useState<{ readonly about: string; readonly props: readonly ConfigurableProp[] }>();
  const answered = last?.about === about ? last.props : known;
  const decisive = (props: readonly ConfigurableProp[], drafts: Drafts): string =>
    JSON.stringify(
      valuesSoFar(
        asked,
        props.filter(({ reloadProps }) => reloadProps === true),
        drafts,
      ),
    );
  const now = useSettled(decisive(answered, draftsOf(answered, configured, kept)));
  const isKnown = isNew
    ? !known.some(({ reloadProps }) => reloadProps === true)
    : now === decisive(known, draftsOf(known, configured));
  const isAnswered = of === undefined || (isKnown && asks === 0);
  const props = isAnswered ? known : answered;
  const answer = useQuery({
    queryKey: ['asked', 'props', about, now, asks],
    queryFn: async () => {
      const configured_props = valuesSoFar(asked, props, draftsOf(props, configured, kept));
      const { data } = await post<{ readonly data: PropsForValues }>(`${asked.path}/props`, {
        ...asked.body,
        configured_props,
      });
      return data.dynamic_props.configurable_props;
    },
    enabled: !isAnswered,
    staleTime: Infinity,
  });
  const { data } = answer;
  useEffect(() => {
    if (data !== undefined) setLast({ about, props: data });
  }, [about, data]);
  return { props, isAsking: answer.isFetching, error: isAnswered ? null : answer.error, ask: () => setAsks(asks + 1) };
}
