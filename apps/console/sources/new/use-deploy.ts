// The state of the form of a new source: the origin of its code, the props of its component, and the deploy.
import { useState } from 'react';
import { useLocation, useSearchParams } from 'wouter';
import { get, post } from '../../api/http.ts';
import { problemOf } from '../../api/problem.ts';
import { useChange } from '../../api/record.ts';
import type { Component, NewSource } from '../../api/records.ts';
import { showFirstProblem } from '../../parts/hooks/first-problem.ts';
import { ofComponent } from '../props/asking.ts';
import { useDynamicProps } from '../props/dynamic-props.ts';
import { isAsked } from '../props/prop-kinds.ts';
import { draftsOf, filled } from '../props/prop-values.ts';
import type { Draft, Drafts } from '../props/prop-values.ts';
import { firstCode } from './first-code.ts';
import { missingOf } from './missing.ts';
import type { Kind } from './missing.ts';

interface Enveloped<T> {
  readonly data: T;
}

/** The component that was checked, and the kind and text that it came from. */
interface Checked {
  readonly from: string;
  readonly component: Component;
}

/** What the page's address prefills: the key or id of a component, or the URL of code. */
function useAsked(): { readonly kind: Kind; readonly url: string; readonly key: string } {
  const [search] = useSearchParams();
  const [url, key] = [search.get('url') ?? '', search.get('key') ?? ''];
  return { kind: key !== '' ? 'component' : url !== '' ? 'url' : 'code', url, key };
}

/** Finds or saves the component. Saving checks it as a deploy does; the same text returns the same component. */
async function componentOf(kind: Kind, text: string): Promise<Component> {
  if (kind !== 'component') {
    const given = kind === 'url' ? { component_url: text } : { component_code: text };
    return (await post<Enveloped<Component>>('/v1/components', given)).data;
  }
  const named = encodeURIComponent(text.trim());
  try {
    return (await get<Enveloped<Component>>(`/v1/components/${named}`)).data;
  } catch (error) {
    if (problemOf(error).status !== 404 || text.startsWith('sc_')) throw error;
    return (await get<Enveloped<Component>>(`/v1/components/registry/${named}`, { writes: true })).data;
  }
}

export type Deploying = ReturnType<typeof useDeploy>;

export function useDeploy() {
  const asked = useAsked();
  const [, go] = useLocation();
  const [kind, setKind] = useState<Kind>(asked.kind);
  const [name, setName] = useState('');
  const [emits, setEmits] = useState(true);
  const [code, setCode] = useState(firstCode);
  const [url, setUrl] = useState(asked.url);
  const [key, setKey] = useState(asked.key);
  const [checked, setChecked] = useState<Checked>();
  const [kept, setKept] = useState<Drafts>({});
  const [problems, setProblems] = useState<Readonly<Record<string, string>>>({});
  /** The kind of the last deploy that was tried: only then the form says that something is missing. */
  const [tried, setTried] = useState<Kind>();
  const text = { code, url, component: key, channel: '' }[kind];
  const missing = missingOf(kind, text);
  const current = checked?.from === `${kind} ${text}` ? checked.component : undefined;
  const of = current === undefined ? undefined : ofComponent(current.id);
  const known = current?.configurable_props ?? [];
  const dynamic = useDynamicProps({ of, known, configured: {}, isNew: true, kept });

  const deployed = async (request: object): Promise<NewSource> => {
    const named = name.trim() === '' ? {} : { name: name.trim() };
    return (await post<Enveloped<NewSource>>('/v1/sources', { ...request, ...named })).data;
  };

  /** Null: the user must fill in or correct props first. */
  const deploy = useChange(
    async (): Promise<NewSource | null> => {
      if (kind === 'channel') return deployed({ kind: 'channel' });
      const component = current ?? (await componentOf(kind, text));
      setChecked({ from: `${kind} ${text}`, component });
      const props = current === undefined ? component.configurable_props : dynamic.props;
      const { values, problems: found } = filled(props, draftsOf(props, {}, kept));
      const isNew = current === undefined && props.some(isAsked);
      setProblems(isNew ? {} : found);
      if (!isNew && Object.keys(found).length > 0) showFirstProblem();
      if (isNew || Object.keys(found).length > 0) return null;
      const configured_props = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null));
      return deployed({ component_id: component.id, configured_props, ...(emits ? {} : { emit_on_deploy: false }) });
    },
    { quiet: true, onDone: (source) => source !== null && go(`/sources/${source.id}`) },
  );
  const start = (): void => {
    setTried(kind);
    if (missing !== undefined) return;
    deploy.mutate(undefined, {
      // Props might be missing that only the component knows of.
      onError: (error) => problemOf(error).code === 'props_invalid' && dynamic.ask(),
    });
  };
  const setDraft = (prop: string, draft: Draft): void => setKept((now) => ({ ...now, [prop]: draft }));
  const drafts = draftsOf(dynamic.props, {}, kept);
  const given = { kind, setKind, name, setName, emits, setEmits, code, setCode, url, setUrl, key, setKey };
  const fault = tried === kind ? missing : undefined;
  const isBegun = code !== firstCode || Object.keys(kept).length > 0;
  return { ...given, isBegun, text, fault, current, of, dynamic, drafts, setDraft, problems, deploy, start };
}
