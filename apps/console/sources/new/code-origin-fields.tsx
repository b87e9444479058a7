// Chooses the origin of a new source's code: an editor, a URL, a component (saved or from the registry), or none.
import type { ReactNode } from 'react';
import { Autocomplete, TextInput } from '@mantine/core';
import { useList } from '../../api/paging.ts';
import type { ComponentSummary } from '../../api/records.ts';
import { CodeEditor } from '../../parts/editor/code-editor.tsx';
import { ErrorAlert } from '../../parts/error-alert.tsx';
import type { CodeOrigin } from './missing.ts';
import type { Deploying } from './use-deploy.ts';

export const kinds: readonly { readonly value: CodeOrigin; readonly label: string }[] = [
  { value: 'code', label: 'Write code' },
  { value: 'url', label: 'From a URL' },
  { value: 'component', label: 'By its key' },
  { value: 'channel', label: 'Channel, no code' },
];

interface CodeOriginFieldsProps {
  readonly form: Deploying;
  /** The line of an error in the code. */
  readonly line: number | undefined;
}

export function CodeOriginFields({ form, line }: CodeOriginFieldsProps): ReactNode {
  if (form.kind === 'code')
    return (
      <>
        <CodeEditor label="Code" language="javascript" initial={form.code} onChange={form.setCode} line={line} />
        {form.fault === undefined ? null : <ErrorAlert message={form.fault} />}
      </>
    );
  if (form.kind === 'component')
    return <ComponentKeyField value={form.key} fault={form.fault} onChange={form.setKey} />;
  if (form.kind === 'url')
    return (
      <TextInput
        type="url"
        label="URL of the code"
        description="The text at this address, or a file's page on GitHub. It is fetched once."
        placeholder="https://github.com/owner/repository/blob/main/component.mjs"
        value={form.url}
        error={form.fault}
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

interface ComponentKeyFieldProps {
  readonly value: string;
  readonly fault: string | undefined;
  readonly onChange: (key: string) => void;
}

function ComponentKeyField({ value, fault, onChange }: ComponentKeyFieldProps): ReactNode {
  const { items } = useList<ComponentSummary>('/v1/components', { query: { limit: 100 } });
  const keys = new Set(items.flatMap(({ key }) => (key === null ? [] : [key])));
  return (
    <Autocomplete
      label="Key"
      description="Of a component that is saved here, or of one in npm's @pipedream packages, such as gitlab-new-issue."
      data={[...keys]}
      limit={20}
      value={value}
      error={fault}
      onChange={onChange}
    />
  );
}
