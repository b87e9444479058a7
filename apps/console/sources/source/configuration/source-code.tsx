// The code of a source: an editor, a diff to review, and the deploy.
import { useEffect, useState } from 'react';
import type { ReactNode } from 'react';
import { Alert, Button, Group, Modal } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import type { UseMutationResult } from '@tanstack/react-query';
import { get, put } from '../../../api/http.ts';
import { Problem, problemOf } from '../../../api/problem.ts';
import { useChange, useRecord } from '../../../api/record.ts';
import type { Source, SourceCode as Code } from '../../../api/records.ts';
import { Diff } from '../../../parts/diff/diff.tsx';
import { CodeEditor } from '../../../parts/editor/code-editor.tsx';
import { CodeViewer } from '../../../parts/editor/code-viewer.tsx';
import { useUnsaved } from '../../../parts/hooks/unsaved.ts';
import { Card } from '../../../parts/page.tsx';
import { Failed, Loading } from '../../../parts/states.tsx';
import { DeployProblem } from '../../deploy-problem.tsx';
import { useCodeEdits } from './code-edits.ts';
import type { CodeEdits } from './code-edits.ts';

const codePathOf = (sourceId: string): string => `/v1/sources/${sourceId}/code`;

/** Reads the source's own copy of the code, because the saved component might no longer exist. */
export function SourceCode({ source }: { readonly source: Source }): ReactNode {
  const { data: currentCode, error, refetch } = useRecord<Code>(codePathOf(source.id));
  const hash = source.code_hash;
  useEffect(() => {
    // The source was updated elsewhere.
    if (currentCode !== undefined && hash !== currentCode.code_hash) void refetch();
  }, [hash, currentCode, refetch]);
  if (currentCode === undefined)
    return (
      <Card title="Code">{error === null ? <Loading /> : <Failed error={error} retry={() => void refetch()} />}</Card>
    );
  if (currentCode.files === null) return <EditableCode key={source.id} source={source} currentCode={currentCode} />;
  return (
    <CodeViewer key={currentCode.code_hash} component={currentCode}>
      <p className="dim small">
        This source has several files. They are changed with <code>pd update</code> or over the API.
      </p>
    </CodeViewer>
  );
}

interface EditableCodeProps {
  readonly source: Source;
  readonly currentCode: Code;
}

function EditableCode({ source, currentCode: { code, code_hash: hash } }: EditableCodeProps): ReactNode {
  const edits = useCodeEdits({ code, hash });
  const { edited = code, isChanged } = edits;
  const [isReviewing, setReviewing] = useState(false);
  const save = useDeployCode(source.id, { hash, edits });
  const deploy = (): void => {
    setReviewing(false);
    save.mutate(edited);
  };
  useUnsaved(isChanged && !save.isPending);
  const problem = save.isError ? problemOf(save.error) : undefined;
  const line = problem?.details['line'];
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
      {problem === undefined ? null : <DeployProblem problem={problem} />}
      {edits.isOutdated ? <OutdatedNotice /> : null}
      <CodeEditor
        key={edits.editorKey}
        label="Code"
        language="javascript"
        initial={edits.initialCode}
        onChange={edits.edit}
        line={typeof line === 'number' ? line : undefined}
      />
      <Modal opened={isReviewing} onClose={() => setReviewing(false)} size="xl" title="What changes">
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

interface Reviewed {
  /** Of the code that the review has shown as the one before. */
  readonly hash: string;
  readonly edits: CodeEdits;
}

/** Refuses to replace code that the review has not shown, since it was deployed elsewhere in the meantime. */
function useDeployCode(sourceId: string, { hash, edits }: Reviewed): UseMutationResult<string, Error, string> {
  const queries = useQueryClient();
  return useChange(
    async (text: string) => {
      const latest = (await get<{ readonly data: Code }>(codePathOf(sourceId))).data;
      if (latest.code_hash !== hash && latest.code !== edits.deployed) {
        void queries.invalidateQueries({ queryKey: ['record'] });
        throw new Problem('Other code was deployed while you reviewed yours. Review it again.', {});
      }
      await put(`/v1/sources/${sourceId}`, { component_code: text });
      return text;
    },
    { doneMessage: 'The code is deployed.', quiet: true, onDone: edits.markDeployed },
  );
}

const OutdatedNotice = (): ReactNode => (
  <Alert color="yellow" variant="outline" title="Updated elsewhere" role="status">
    Other code of this source has been deployed since. Deploying yours replaces it: the review shows how. Discard yours
    to see it.
  </Alert>
);
