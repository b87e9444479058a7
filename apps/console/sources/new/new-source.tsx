// The page for a new source: its code, a URL, a component or no code; then the component's props, and the deploy.
import type { ReactNode } from 'react';
import { Button, SegmentedControl, TextInput } from '@mantine/core';
import { problemOf } from '../../api/problem.ts';
import { useUnsaved } from '../../parts/hooks/unsaved.ts';
import { Card, Page } from '../../parts/page.tsx';
import { DeployProblem } from '../deploy-problem.tsx';
import { EmitOnDeploy } from '../emit-on-deploy.tsx';
import { DynamicPropsState } from '../props/dynamic-props-state.tsx';
import { isAskable } from '../props/prop-kinds.ts';
import { PropsForm } from '../props/props-form.tsx';
import type { CodeOrigin } from './missing.ts';
import { useDeploy } from './use-deploy.ts';
import type { Deploying } from './use-deploy.ts';
import { CodeOriginFields, kinds } from './code-origin-fields.tsx';

export function NewSource(): ReactNode {
  const form = useDeploy();
  const { deploy, kind, current } = form;
  const isUnnamed = kind === 'channel' && form.name.trim() === '';
  useUnsaved(form.isBegun && !deploy.isPending);
  const problem = deploy.isError ? problemOf(deploy.error) : undefined;
  return (
    <Page
      title="New source"
      lead="It runs as soon as it is deployed."
      parent={{ href: '/sources', name: 'Sources' }}
      actions={
        <Button loading={deploy.isPending} disabled={form.dynamic.isLoading || isUnnamed} onClick={form.start}>
          {kind === 'channel' ? 'Create channel' : current === undefined ? 'Check and deploy' : 'Deploy'}
        </Button>
      }
    >
      {problem === undefined ? null : <DeployProblem problem={problem} />}
      <div className="two">
        <Card>
          <SegmentedControl
            aria-label="Where its code comes from"
            data={[...kinds]}
            value={kind}
            onChange={(value) => form.setKind(value as CodeOrigin)}
          />
          <CodeOriginFields form={form} line={problem === undefined ? undefined : lineOf(problem.details)} />
        </Card>
        <Card
          title={kind === 'channel' ? 'Channel' : 'Settings'}
          actions={current === undefined ? null : <DynamicPropsState dynamic={form.dynamic} />}
        >
          <TextInput
            label="Name"
            description={kind === 'channel' ? undefined : 'Without one it takes that of the component.'}
            value={form.name}
            onChange={({ currentTarget: { value } }) => form.setName(value)}
          />
          {kind === 'channel' ? null : <PropFields form={form} />}
          {kind === 'channel' ? null : <EmitOnDeploy checked={form.emits} onChange={form.setEmits} />}
        </Card>
      </div>
    </Page>
  );
}

const lineOf = ({ line }: Readonly<Record<string, unknown>>): number | undefined =>
  typeof line === 'number' ? line : undefined;

function PropFields({ form }: { readonly form: Deploying }): ReactNode {
  const { componentRef, dynamic, drafts, problems } = form;
  if (componentRef === undefined)
    return <p className="dim small">What the component asks for appears here once its code is checked.</p>;
  if (!dynamic.props.some(isAskable)) return <p className="dim small">The component asks for nothing.</p>;
  return (
    <PropsForm
      componentRef={componentRef}
      props={dynamic.props}
      drafts={drafts}
      problems={problems}
      onChange={form.setDraft}
    />
  );
}
