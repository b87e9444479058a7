// A new source: its code or its URL, or no code at all; then what the component asks for, and the deploy.
import { useState } from 'react';
import type { ReactNode } from 'react';
import { Button, SegmentedControl, TextInput } from '@mantine/core';
import { useLocation, useSearchParams } from 'wouter';
import { post } from '../../api/http.ts';
import { problemOf } from '../../api/problem.ts';
import { useChange } from '../../api/record.ts';
import type { Component, NewSource as Deployed } from '../../api/records.ts';
import { CodeEditor } from '../../parts/editor/code-editor.tsx';
import { Card, Page } from '../../parts/page.tsx';
import { DeployProblem } from '../deploy-problem.tsx';
import { PropsForm } from '../props/props-form.tsx';
import { draftsOf, filled, isAsked } from '../props/prop-values.ts';
import type { Drafts } from '../props/prop-values.ts';
import { firstCode } from './first-code.ts';

type Kind = 'code' | 'url' | 'channel';

const kinds = [
  { value: 'code', label: 'Write code' },
  { value: 'url', label: 'From a URL' },
  { value: 'channel', label: 'Channel, no code' },
];

interface Enveloped<T> {
  readonly data: T;
}

/** The component as it was checked, and by which text. */
interface Checked {
  readonly from: string;
  readonly component: Component;
}

function useDeploy() {
  const [search] = useSearchParams();
  const [, go] = useLocation();
  const [kind, setKind] = useState<Kind>(search.has('url') ? 'url' : 'code');
  const [name, setName] = useState('');
  const [code, setCode] = useState(firstCode);
  const [url, setUrl] = useState(search.get('url') ?? '');
  const [checked, setChecked] = useState<Checked>();
  const [drafts, setDrafts] = useState<Drafts>({});
  const [problems, setProblems] = useState<Readonly<Record<string, string>>>({});
  const text = kind === 'url' ? url : code;
  const current = checked?.from === `${kind} ${text}` ? checked.component : undefined;

  /** Saved components are checked as deployed ones are; the same text is the same component. */
  const check = async (): Promise<Component> => {
    const given = kind === 'url' ? { component_url: url } : { component_code: code };
    const { data } = await post<Enveloped<Component>>('/v1/components', given);
    setChecked({ from: `${kind} ${text}`, component: data });
    setDrafts(draftsOf(data.configurable_props, {}, drafts));
    return data;
  };

  /** Null: the component asks for something first. */
  const deploy = useChange(
    async (): Promise<Deployed | null> => {
      const named = name.trim() === '' ? {} : { name: name.trim() };
      if (kind === 'channel')
        return (await post<Enveloped<Deployed>>('/v1/sources', { kind: 'channel', ...named })).data;
      const component = current ?? (await check());
      const { values, problems: found } = filled(
        component.configurable_props,
        draftsOf(component.configurable_props, {}, drafts),
      );
      const isNew = current === undefined && component.configurable_props.some(isAsked);
      setProblems(isNew ? {} : found);
      if (isNew || Object.keys(found).length > 0) return null;
      const set = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null));
      const request = { component_id: component.id, configured_props: set, ...named };
      return (await post<Enveloped<Deployed>>('/v1/sources', request)).data;
    },
    { quiet: true, onDone: (source) => source !== null && go(`/sources/${source.id}`) },
  );
  return { kind, setKind, name, setName, code, setCode, url, setUrl, current, drafts, setDrafts, problems, deploy };
}

export function NewSource(): ReactNode {
  const form = useDeploy();
  const { deploy, current, kind } = form;
  const asks = current?.configurable_props.some(isAsked) === true;
  const refused = deploy.isError ? problemOf(deploy.error) : undefined;
  return (
    <Page
      title="New source"
      lead="It runs as soon as it is deployed."
      parent={{ href: '/sources', name: 'Sources' }}
      actions={
        <Button loading={deploy.isPending} onClick={() => deploy.mutate()}>
          {kind === 'channel' ? 'Create channel' : asks || current !== undefined ? 'Deploy' : 'Check and deploy'}
        </Button>
      }
    >
      {refused === undefined ? null : <DeployProblem problem={refused} />}
      <div className="two">
        <Card>
          <SegmentedControl
            aria-label="Where its code comes from"
            data={kinds}
            value={kind}
            onChange={(value) => form.setKind(value as Kind)}
          />
          <What form={form} line={refused === undefined ? undefined : lineOf(refused.details)} />
        </Card>
        <Card title={kind === 'channel' ? 'Channel' : 'Settings'}>
          <TextInput
            label="Name"
            description={kind === 'channel' ? undefined : 'Without one it takes that of the component.'}
            value={form.name}
            onChange={({ currentTarget: { value } }) => form.setName(value)}
          />
          {kind === 'channel' ? null : <Asked form={form} asks={asks} />}
        </Card>
      </div>
    </Page>
  );
}

const lineOf = ({ line }: Readonly<Record<string, unknown>>): number | undefined =>
  typeof line === 'number' ? line : undefined;

interface PartProps {
  readonly form: ReturnType<typeof useDeploy>;
}

function What({ form, line }: PartProps & { readonly line: number | undefined }): ReactNode {
  if (form.kind === 'code')
    return <CodeEditor label="Code" language="javascript" initial={form.code} onChange={form.setCode} line={line} />;
  if (form.kind === 'url')
    return (
      <TextInput
        type="url"
        label="URL of the code"
        description="The text at this address, or a file's page on GitHub. It is fetched once."
        placeholder="https://github.com/owner/repository/blob/main/component.mjs"
        value={form.url}
        onChange={({ currentTarget: { value } }) => form.setUrl(value)}
      />
    );
  return (
    <p className="dim small">
      A channel runs no code: your application publishes events to it over the API, and subscribed webhooks get them
      signed, in order and with retries.
    </p>
  );
}

function Asked({ form, asks }: PartProps & { readonly asks: boolean }): ReactNode {
  const { current, drafts, setDrafts, problems } = form;
  if (current === undefined)
    return <p className="dim small">What the component asks for appears here once its code is checked.</p>;
  if (!asks) return <p className="dim small">The component asks for nothing.</p>;
  return <PropsForm props={current.configurable_props} drafts={drafts} problems={problems} onChange={setDrafts} />;
}
