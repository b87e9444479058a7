// The code of a source: changed here, looked at as a difference, and deployed.
import { useState } from 'react';
import type { ReactNode } from 'react';
import { Button, Group, Modal } from '@mantine/core';
import { Link } from 'wouter';
import { put } from '../../../api/http.ts';
import { problemOf } from '../../../api/problem.ts';
import { useChange, useRecord } from '../../../api/record.ts';
import type { Component, Source } from '../../../api/records.ts';
import { Diff } from '../../../parts/diff/diff.tsx';
import { CodeEditor } from '../../../parts/editor/code-editor.tsx';
import { Card } from '../../../parts/page.tsx';
import { Failed, Loading } from '../../../parts/states.tsx';
import { DeployProblem } from '../../deploy-problem.tsx';

interface SourceCodeProps {
  readonly source: Source;
  readonly componentId: string;
}

export function SourceCode({ source, componentId }: SourceCodeProps): ReactNode {
  const { data: component, error } = useRecord<Component>(`/v1/components/${componentId}`);
  if (component === undefined)
    return <Card title="Code">{error === null ? <Loading /> : <Failed error={error} />}</Card>;
  return component.files === null ? (
    <Edited source={source} code={component.code} />
  ) : (
    <Card title="Code">
      <p className="dim small">
        This source has several files. They are shown on{' '}
        <Link href={`/components/${componentId}`}>the page of its component</Link>, and changed with pd or over the API.
      </p>
    </Card>
  );
}

interface EditedProps {
  readonly source: Source;
  readonly code: string;
}

function Edited({ source, code }: EditedProps): ReactNode {
  const [edited, setEdited] = useState<string>();
  const [discards, setDiscards] = useState(0);
  const [reviewing, setReviewing] = useState(false);
  const save = useChange((text: string) => put(`/v1/sources/${source.id}`, { component_code: text }), {
    done: 'The code is deployed.',
    quiet: true,
    onDone: () => setEdited(undefined),
  });
  const discard = (): void => {
    setEdited(undefined);
    setDiscards(discards + 1);
  };
  const deploy = (): void => {
    setReviewing(false);
    save.mutate(edited ?? '');
  };
  const isChanged = edited !== undefined && edited !== code;
  const refused = save.isError ? problemOf(save.error) : undefined;
  const line = refused?.details['line'];
  return (
    <Card
      title="Code"
      actions={
        <div className="actions">
          {isChanged ? (
            <Button size="xs" variant="default" onClick={discard}>
              Discard
            </Button>
          ) : null}
          <Button size="xs" disabled={!isChanged} loading={save.isPending} onClick={() => setReviewing(true)}>
            Review and deploy
          </Button>
        </div>
      }
    >
      {refused === undefined ? null : <DeployProblem problem={refused} />}
      <CodeEditor
        key={discards}
        label="Code"
        language="javascript"
        initial={code}
        onChange={setEdited}
        line={typeof line === 'number' ? line : undefined}
      />
      <Modal opened={reviewing} onClose={() => setReviewing(false)} size="xl" title="What changes">
        <div className="stacked">
          <Diff before={code} after={edited ?? code} />
          <Group justify="flex-end">
            <Button variant="default" onClick={() => setReviewing(false)}>
              Back to the code
            </Button>
            <Button onClick={deploy}>Deploy changes</Button>
          </Group>
        </div>
      </Modal>
    </Card>
  );
}
