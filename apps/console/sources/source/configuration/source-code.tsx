// The code of a source: an editor, a diff to review, and the deploy.
import { useEffect, useState } from 'react';
import type { ReactNode } from 'react';
import { Alert, Button, Group, Modal } from '@mantine/core';
import { put } from '../../../api/http.ts';
import { problemOf } from '../../../api/problem.ts';
import { useChange, useRecord } from '../../../api/record.ts';
import type { Source, SourceCode as Code } from '../../../api/records.ts';
import { Diff } from '../../../parts/diff/diff.tsx';
import { CodeEditor } from '../../../parts/editor/code-editor.tsx';
import { ShownCode } from '../../../parts/editor/shown-code.tsx';
import { useUnsaved } from '../../../parts/hooks/unsaved.ts';
import { Card } from '../../../parts/page.tsx';
import { Failed, Loading } from '../../../parts/states.tsx';
import { DeployProblem } from '../../deploy-problem.tsx';
import { useCodeEdits } from './code-edits.ts';

/** Reads the source's own copy of the code, because the saved component might no longer exist. */
export function SourceCode({ source }: { readonly source: Source }): ReactNode {
  const { data: shown, error, refetch } = useRecord<Code>(`/v1/sources/${source.id}/code`);
  const hash = source.code_hash;
  useEffect(() => {
    // The source was updated elsewhere.
    if (shown !== undefined && hash !== shown.code_hash) void refetch();
  }, [hash, shown, refetch]);
  if (shown === undefined)
    return (
      <Card title="Code">{error === null ? <Loading /> : <Failed error={error} retry={() => void refetch()} />}</Card>
    );
  if (shown.files === null) return <Edited key={source.id} source={source} shown={shown} />;
  return (
    <ShownCode key={shown.code_hash} of={shown}>
      <p className="dim small">
        This source has several files. They are changed with <code>pd update</code> or over the API.
      </p>
    </ShownCode>
  );
}

interface EditedProps {
  readonly source: Source;
  readonly shown: Code;
}

function Edited({ source, shown: { code, code_hash: hash } }: EditedProps): ReactNode {
  const edits = useCodeEdits({ code, hash });
  const { edited = code, isChanged } = edits;
  const [reviewing, setReviewing] = useState(false);
  const save = useChange(
    async (text: string) => {
      await put(`/v1/sources/${source.id}`, { component_code: text });
      return text;
    },
    { done: 'The code is deployed.', quiet: true, onDone: edits.keep },
  );
  const deploy = (): void => {
    setReviewing(false);
    save.mutate(edited);
  };
  useUnsaved(isChanged && !save.isPending);
  const refused = save.isError ? problemOf(save.error) : undefined;
  const line = refused?.details['line'];
  return (
    <Card
      title="Code"
      actions={
        <div className="actions">
          {isChanged ? (
            <Button size="xs" variant="default" onClick={edits.discard}>
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
      {edits.isOutdated ? <Outdated /> : null}
      <CodeEditor
        key={edits.editor}
        label="Code"
        language="javascript"
        initial={edits.begun}
        onChange={edits.edit}
        line={typeof line === 'number' ? line : undefined}
      />
      <Modal opened={reviewing} onClose={() => setReviewing(false)} size="xl" title="What changes">
        <div className="stacked">
          <Diff before={code} after={edited} />
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

const Outdated = (): ReactNode => (
  <Alert color="yellow" variant="outline" title="Updated elsewhere" role="status">
    Other code of this source has been deployed since. Deploying yours replaces it: the review shows how. Discard yours
    to see it.
  </Alert>
);
