// The page of one saved component: its props, its code and its other versions; deploys and publishes it.
import type { ReactNode } from 'react';
import { Button } from '@mantine/core';
import { Link, useLocation } from 'wouter';
import { post, remove } from '../../api/http.ts';
import { useList } from '../../api/paging.ts';
import { problemOf } from '../../api/problem.ts';
import { useChange, useRecord } from '../../api/record.ts';
import type { Component, ComponentSummary } from '../../api/records.ts';
import { ConfirmedButton, deleteButtonProps } from '../../parts/confirm.tsx';
import { isolateBidi } from '../../parts/format.ts';
import { CodeViewer } from '../../parts/editor/code-viewer.tsx';
import { Ago } from '../../parts/now.tsx';
import { Card, Facts, Page } from '../../parts/page.tsx';
import { Markdown } from '../../parts/markdown/markdown.tsx';
import { ErrorAlert } from '../../parts/error-alert.tsx';
import { Failed, Loading } from '../../parts/states.tsx';
import { ListTable, Rows } from '../../parts/table.tsx';
import { Tag } from '../../parts/tag.tsx';
import { isRequired } from '../../sources/props/prop-kinds.ts';
import { componentColumns } from '../component-columns.tsx';

const parent = { href: '/components', name: 'Components' };

export function ComponentPage({ id }: { readonly id: string }): ReactNode {
  const { data: component, error, refetch } = useRecord<Component>(`/v1/components/${encodeURIComponent(id)}`);
  if (component === undefined)
    return (
      <Page title="Component" parent={parent}>
        <Card flush>{error === null ? <Loading /> : <Failed error={error} retry={() => void refetch()} />}</Card>
      </Page>
    );
  return <ComponentDetail component={component} />;
}

function ComponentDetail({ component }: { readonly component: Component }): ReactNode {
  const { id, key, name, version, description, published, created_at, updated_at } = component;
  const publishing = usePublishing(component);
  return (
    <Page
      title={name}
      badge={published ? <Tag tone="good">published</Tag> : null}
      lead={<span className="mono">{id}</span>}
      parent={parent}
      actions={
        <>
          {key === null ? null : (
            <Button variant="default" loading={publishing.isPending} onClick={() => publishing.mutate()}>
              {published ? 'Unpublish' : 'Publish'}
            </Button>
          )}
          <DeleteComponent component={component} />
          <Button component={Link} href={`/sources/new?key=${encodeURIComponent(id)}`}>
            Deploy
          </Button>
        </>
      }
    >
      {publishing.isError ? <ErrorAlert message={problemOf(publishing.error).message} /> : null}
      <Card>
        <Facts
          facts={{
            Key: key ?? 'None: it cannot be published',
            Version: version,
            Saved: <Ago ms={created_at * 1_000} />,
            ...(updated_at === created_at ? {} : { Changed: <Ago ms={updated_at * 1_000} /> }),
          }}
        />
        {description === null ? null : (
          <p className="small wrapped">
            <Markdown text={description} />
          </p>
        )}
      </Card>
      <PropsCard component={component} />
      <CodeViewer component={component} />
      {key === null ? null : <Versions componentKey={key} />}
    </Page>
  );
}

function DeleteComponent({ component: { id, name, version } }: { readonly component: Component }): ReactNode {
  const [, go] = useLocation();
  const deletion = useChange<unknown>(() => remove(`/v1/components/${id}`, { purge: true }), {
    doneMessage: `${isolateBidi(name)} ${isolateBidi(version)} is deleted.`,
    onDone: () => go(parent.href),
    quiet: true,
  });
  return (
    <ConfirmedButton
      label="Delete"
      buttonProps={deleteButtonProps}
      change={deletion}
      title={`Delete ${isolateBidi(name)} ${isolateBidi(version)}?`}
      verb="Delete component"
    >
      It can no longer be deployed. Sources that were deployed from it stay and run on.
    </ConfirmedButton>
  );
}

/** Publishing saves the same code again, which gives the same component; a refusal names the version that is higher. */
function usePublishing({ id, code, entry, files, published, key }: Component) {
  const text = files === null ? { component_code: code } : { files, ...(entry === null ? {} : { entry }) };
  return useChange<unknown>(
    () => (published ? remove(`/v1/components/${id}`) : post('/v1/components', { ...text, publish: true })),
    {
      doneMessage: published
        ? `The key ${key} means no component of this workspace any more. Sources deployed from it stay.`
        : `The key ${key} means this version from now on.`,
      quiet: true,
    },
  );
}

function PropsCard({ component: { configurable_props } }: { readonly component: Component }): ReactNode {
  if (configurable_props.length === 0) return null;
  return (
    <Card flush title="What it asks for">
      <Rows
        label="Props"
        records={configurable_props.map((prop) => ({ ...prop, id: prop.name }))}
        columns={[
          { name: 'Prop', cell: ({ name }) => <span className="mono">{name}</span> },
          { name: 'Type', cell: ({ type }) => <span className="mono">{type}</span> },
          { name: 'Label', cell: ({ label }) => label ?? <span className="dim">–</span> },
          { name: 'Needed', cell: (prop) => (isRequired(prop) ? 'yes' : 'no') },
        ]}
      />
    </Card>
  );
}

function Versions({ componentKey }: { readonly componentKey: string }): ReactNode {
  const list = useList<ComponentSummary>('/v1/components', { query: { key: componentKey } });
  return (
    <Card flush title={`Versions of ${componentKey}`}>
      <ListTable label="Versions" list={list} columns={componentColumns} empty={null} />
    </Card>
  );
}
