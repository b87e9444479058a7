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
import { refToSource } from '../../props/component-ref.ts';
import { DynamicPropsState } from '../../props/dynamic-props-state.tsx';
import { useDynamicProps } from '../../props/dynamic-props.ts';
import { isAskable } from '../../props/prop-kinds.ts';
import { changedValues, draftsOf, readDrafts } from '../../props/prop-values.ts';
import type { Drafts } from '../../props/prop-values.ts';
import { PropsForm } from '../../props/props-form.tsx';

export function SourceProps({ source }: { readonly source: Source }): ReactNode {
  const { configured_props: configured, configurable_props: knownProps } = source;
  const [editedDrafts, setEditedDrafts] = useState<Drafts>({});
  const [problems, setProblems] = useState<Readonly<Record<string, string>>>({});
  const componentRef = refToSource(source.id);
  const dynamic = useDynamicProps({ componentRef, knownProps, configured, isNew: false, editedDrafts });
  const save = useChange(
    (values: Readonly<Record<string, unknown>>) => put(`/v1/sources/${source.id}`, { configured_props: values }),
    { doneMessage: 'The props are saved.', quiet: true },
  );
  const { props } = dynamic;
  const shownDrafts = draftsOf(props, configured);
  const drafts = draftsOf(props, configured, editedDrafts);
  const isChanged = JSON.stringify(drafts) !== JSON.stringify(shownDrafts);
  useUnsaved(isChanged && !save.isPending);
  if (!props.some(isAskable)) return null;
  const submit = (): void => {
    const parsed = readDrafts(props, drafts);
    setProblems(parsed.problems);
    if (Object.keys(parsed.problems).length > 0) {
      showFirstProblem();
      return;
    }
    const changed = changedValues(parsed.values, readDrafts(props, shownDrafts).values, configured);
    // Who saves without a change wants the hooks to run again.
    save.mutate(Object.keys(changed).length > 0 ? changed : parsed.values);
  };
  const problem = save.isError ? problemOf(save.error) : undefined;
  return (
    <Card title="Props" actions={<DynamicPropsState dynamic={dynamic} />}>
      <div className="form">
        {problem === undefined ? null : <DeployProblem problem={problem} />}
        <PropsForm
          componentRef={componentRef}
          props={props}
          drafts={drafts}
          problems={problems}
          onChange={(name, draft) => setEditedDrafts((now) => ({ ...now, [name]: draft }))}
        />
        <div>
          <Button loading={save.isPending} disabled={dynamic.isLoading} onClick={submit}>
            Save props
          </Button>
        </div>
      </div>
    </Card>
  );
}
