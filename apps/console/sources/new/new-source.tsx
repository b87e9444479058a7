// The page for a new source: its code, a URL, a component or no code; then the component's props, and the deploy.
import type { ReactNode } from 'react';
import { Button, SegmentedControl, TextInput } from '@mantine/core';
import { problemOf } from '../../api/problem.ts';
import { useUnsaved } from '../../parts/hooks/unsaved.ts';
import { Card, Page } from '../../parts/page.tsx';
import { DeployProblem } from '../deploy-problem.tsx';
import { EmitOnDeploy } from '../emit-on-deploy.tsx';
import { AskState } from '../props/ask-state.tsx';
import { isAsked } from '../props/prop-kinds.ts';
import { PropsForm } from '../props/props-form.tsx';
import type { Kind } from './missing.ts';
import { useDeploy } from './use-deploy.ts';
import type { Deploying } from './use-deploy.ts';
import { WhereFrom, kinds } from './where-from.tsx';

export function NewSource(): ReactNode {
  const form = useDeploy();
  const { deploy, kind, current } = form;
  const isUnnamed = kind === 'channel' && form.name.trim() === '';
  useUnsaved(form.isBegun && !deploy.isPending);
  const refused = deploy.isError ? problemOf(deploy.error) : undefined;
  return (
    <Page
      title="New source"
      lead="It runs as soon as it is deployed."
      parent={{ href: '/sources', name: 'Sources' }}
      actions={
        <Button loading={deploy.isPending} disabled={form.dynamic.isAsking || isUnnamed} onClick={form.start}>
          {kind === 'channel' ? 'Create channel' : current === undefined ? 'Check and deploy' : 'Deploy'}
        </Button>
      }
    >
      {refused === undefined ? null : <DeployProblem problem={refused} />}
      <div className="two">
        <Card>
          <SegmentedControl
            aria-label="Where its code comes from"
            data={[...kinds]}
            value={kind}
            onChange={(value) => form.setKind(value as Kind)}
          />
          <WhereFrom form={form} line={refused === undefined ? undefined : lineOf(refused.details)} />
        </Card>
        <Card
          title={kind === 'channel' ? 'Channel' : 'Settings'}
          actions={current === undefined ? null : <AskState dynamic={form.dynamic} />}
        >
          <TextInput
            label="Name"
            description={kind === 'channel' ? undefined : 'Without one it takes that of the component.'}
            value={form.name}
            onChange={({ currentTarget: { value } }) => form.setName(value)}
          />
          {kind === 'channel' ? null : <Asked form={form} />}
          {kind === 'channel' ? null : <EmitOnDeploy checked={form.emits} onChange={form.setEmits} />}
        </Card>
      </div>
    </Page>
  );
}

const lineOf = ({ line }: Readonly<Record<string, unknown>>): number | undefined =>
  typeof line === 'number' ? line : undefined;

function Asked({ form }: { readonly form: Deploying }): ReactNode {
  const { of, dynamic, drafts, problems } = form;
  if (of === undefined)
    return <p className="dim small">What the component asks for appears here once its code is checked.</p>;
  if (!dynamic.props.some(isAsked)) return <p className="dim small">The component asks for nothing.</p>;
  return <PropsForm of={of} props={dynamic.props} drafts={drafts} problems={problems} onChange={form.setDraft} />;
}
