// The state of the form of a new source: the origin of its code, the props of its component, and the deploy.
import { useState } from 'react';
import { useLocation, useSearchParams } from 'wouter';
import { get, post } from '../../api/http.ts';
import { problemOf } from '../../api/problem.ts';
import { useChange } from '../../api/record.ts';
import type { Component, NewSource } from '../../api/records.ts';
import { showFirstProblem } from '../../parts/hooks/first-problem.ts';
import { refToComponent } from '../props/component-ref.ts';
import { useDynamicProps } from '../props/dynamic-props.ts';
import { isAskable } from '../props/prop-kinds.ts';
import { draftsOf, readDrafts } from '../props/prop-values.ts';
import type { Draft, Drafts } from '../props/prop-values.ts';
import { firstCode } from './first-code.ts';
import { missingMessageOf } from './missing.ts';
import type { CodeOrigin } from './missing.ts';

interface Enveloped<T> {
  readonly data: T;
}

/** The component that was checked, and the kind and text that it came from. */
interface CheckedComponent {
  readonly origin: string;
  readonly component: Component;
}

/** What the page's address prefills: the key or id of a component, or the URL of code. */
function usePrefill(): { readonly kind: CodeOrigin; readonly url: string; readonly key: string } {
  const [search] = useSearchParams();
  const [url, key] = [search.get('url') ?? '', search.get('key') ?? ''];
  return { kind: key !== '' ? 'component' : url !== '' ? 'url' : 'code', url, key };
}

/** Finds or saves the component. Saving checks it as a deploy does; the same text returns the same component. */
async function componentOf(kind: CodeOrigin, text: string): Promise<Component> {
  if (kind !== 'component') {
    const request = kind === 'url' ? { component_url: text } : { component_code: text };
    return (await post<Enveloped<Component>>('/v1/components', request)).data;
  }
  const encodedKey = encodeURIComponent(text.trim());
  try {
    return (await get<Enveloped<Component>>(`/v1/components/${encodedKey}`)).data;
  } catch (error) {
    if (problemOf(error).status !== 404 || text.startsWith('sc_')) throw error;
    return (await get<Enveloped<Component>>(`/v1/components/registry/${encodedKey}`, { writes: true })).data;
  }
}

export type Deploying = ReturnType<typeof useDeploy>;

export function useDeploy() {
  const prefill = usePrefill();
  const [, go] = useLocation();
  const [kind, setKind] = useState<CodeOrigin>(prefill.kind);
  const [name, setName] = useState('');
  const [emits, setEmits] = useState(true);
  const [code, setCode] = useState(firstCode);
  const [url, setUrl] = useState(prefill.url);
  const [key, setKey] = useState(prefill.key);
  const [checked, setChecked] = useState<CheckedComponent>();
  const [editedDrafts, setEditedDrafts] = useState<Drafts>({});
  const [problems, setProblems] = useState<Readonly<Record<string, string>>>({});
  /** The kind of the last deploy that was tried: only then the form says that something is missing. */
  const [triedKind, setTriedKind] = useState<CodeOrigin>();
  const text = { code, url, component: key, channel: '' }[kind];
  const missing = missingMessageOf(kind, text);
  const current = checked?.origin === `${kind} ${text}` ? checked.component : undefined;
  const componentRef = current === undefined ? undefined : refToComponent(current.id);
  const knownProps = current?.configurable_props ?? [];
  const dynamic = useDynamicProps({ componentRef, knownProps, configured: {}, isNew: true, editedDrafts });

  const postSource = async (request: object): Promise<NewSource> => {
    const nameField = name.trim() === '' ? {} : { name: name.trim() };
    return (await post<Enveloped<NewSource>>('/v1/sources', { ...request, ...nameField })).data;
  };

  /** Null: the user must fill in or correct props first. */
  const deploy = useChange(
    async (): Promise<NewSource | null> => {
      if (kind === 'channel') return postSource({ kind: 'channel' });
      const component = current ?? (await componentOf(kind, text));
      setChecked({ origin: `${kind} ${text}`, component });
      const props = current === undefined ? component.configurable_props : dynamic.props;
      const { values, problems: draftProblems } = readDrafts(props, draftsOf(props, {}, editedDrafts));
      const isNew = current === undefined && props.some(isAskable);
      setProblems(isNew ? {} : draftProblems);
      if (!isNew && Object.keys(draftProblems).length > 0) showFirstProblem();
      if (isNew || Object.keys(draftProblems).length > 0) return null;
      const configured_props = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null));
      return postSource({ component_id: component.id, configured_props, ...(emits ? {} : { emit_on_deploy: false }) });
    },
    { quiet: true, onDone: (source) => source !== null && go(`/sources/${source.id}`) },
  );
  const start = (): void => {
    setTriedKind(kind);
    if (missing !== undefined) return;
    deploy.mutate(undefined, {
      // Props might be missing that only the component knows of.
      onError: (error) => problemOf(error).code === 'props_invalid' && dynamic.refresh(),
    });
  };
  const setDraft = (prop: string, draft: Draft): void => setEditedDrafts((now) => ({ ...now, [prop]: draft }));
  const drafts = draftsOf(dynamic.props, {}, editedDrafts);
  const fields = { kind, setKind, name, setName, emits, setEmits, code, setCode, url, setUrl, key, setKey };
  const fault = triedKind === kind ? missing : undefined;
  const isBegun = code !== firstCode || Object.keys(editedDrafts).length > 0;
  return { ...fields, isBegun, text, fault, current, componentRef, dynamic, drafts, setDraft, problems, deploy, start };
}
