// The editor for the filter of a subscription, which selects the events that it sends.
import type { ReactNode } from 'react';
import { Button } from '@mantine/core';
import { put } from '../../../api/http.ts';
import { problemOf } from '../../../api/problem.ts';
import { useChange } from '../../../api/record.ts';
import { CodeEditor } from '../../../parts/editor/code-editor.tsx';
import { Card } from '../../../parts/page.tsx';
import { ErrorAlert } from '../../../parts/error-alert.tsx';
import { parseFilter } from './filter-text.ts';

interface FilterEditorProps {
  readonly subscriptionId: string;
  readonly text: string;
  readonly onChange: (text: string) => void;
}

export function FilterEditor({ subscriptionId, text, onChange }: FilterEditorProps): ReactNode {
  const read = parseFilter(text);
  const save = useChange(
    () => put(`/v1/subscriptions/${subscriptionId}`, { filter: 'filter' in read ? read.filter : null }),
    { doneMessage: 'The filter is saved. It holds for the events from now on.', quiet: true },
  );
  return (
    <Card
      title="Filter"
      actions={
        <Button size="xs" disabled={'problem' in read} loading={save.isPending} onClick={() => save.mutate()}>
          Save filter
        </Button>
      }
    >
      {save.isError ? <ErrorAlert message={problemOf(save.error).message} /> : null}
      <p className="dim small">
        For each field a list of what is allowed, such as{' '}
        <code className="mono">{'{ "action": ["opened"], "total": [{ "numeric": [">", 10] }] }'}</code>. An empty one
        lets every event pass.
      </p>
      <CodeEditor label="Filter" language="json" initial={text} onChange={onChange} />
      {'problem' in read ? <p className="small bad-text">{read.problem}</p> : null}
    </Card>
  );
}
