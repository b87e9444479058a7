// The form of a source's props, which are those that its component has with the values in the form.
import { useState } from 'react';
import type { ReactNode } from 'react';
import { Button } from '@mantine/core';
import { put } from '../../../api/http.ts';
import { problemOf } from '../../../api/problem.ts';
import { useChange } from '../../../api/record.ts';
import type { Source } from '../../../api/records.ts';
import { showFirstProblem } from '../../../parts/hooks/first-problem.ts';
import { useUnsaved } from '../../../parts/hooks/unsaved.ts';
import { Card } from '../../../parts/page.tsx';
import { DeployProblem } from '../../deploy-problem.tsx';
import { ofSource } from '../../props/asking.ts';
import { AskState } from '../../props/ask-state.tsx';
import { useDynamicProps } from '../../props/dynamic-props.ts';
import { isAsked } from '../../props/prop-kinds.ts';
import { draftsOf, filled } from '../../props/prop-values.ts';
import type { Drafts } from '../../props/prop-values.ts';
import { PropsForm } from '../../props/props-form.tsx';

export function SourceProps({ source }: { readonly source: Source }): ReactNode {
  const { configured_props: configured, configurable_props: known } = source;
  const [kept, setKept] = useState<Drafts>({});
  const [problems, setProblems] = useState<Readonly<Record<string, string>>>({});
  const of = ofSource(source.id);
  const dynamic = useDynamicProps({ of, known, configured, isNew: false, kept });
  const save = useChange(
    (values: Readonly<Record<string, unknown>>) => put(`/v1/sources/${source.id}`, { configured_props: values }),
    { done: 'The props are saved.', quiet: true },
  );
  const { props } = dynamic;
  const drafts = draftsOf(props, configured, kept);
  const isChanged = JSON.stringify(drafts) !== JSON.stringify(draftsOf(props, configured));
  useUnsaved(isChanged && !save.isPending);
  if (!props.some(isAsked)) return null;
  const submit = (): void => {
    const read = filled(props, drafts);
    setProblems(read.problems);
    if (Object.keys(read.problems).length === 0) save.mutate(read.values);
    else showFirstProblem();
  };
  const refused = save.isError ? problemOf(save.error) : undefined;
  return (
    <Card title="Props" actions={<AskState dynamic={dynamic} />}>
      <div className="form">
        {refused === undefined ? null : <DeployProblem problem={refused} />}
        <PropsForm
          of={of}
          props={props}
          drafts={drafts}
          problems={problems}
          onChange={(name, draft) => setKept((now) => ({ ...now, [name]: draft }))}
        />
        <div>
          <Button loading={save.isPending} disabled={dynamic.isAsking} onClick={submit}>
            Save props
          </Button>
        </div>
      </div>
    </Card>
  );
}
