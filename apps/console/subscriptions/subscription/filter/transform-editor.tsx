// The editor for the transform of a subscription, a function that returns what is sent of an event, if anything.
import type { ReactNode } from 'react';
import { Button, Select } from '@mantine/core';
import { put } from '../../../api/http.ts';
import { problemOf } from '../../../api/problem.ts';
import { useChange } from '../../../api/record.ts';
import type { SubscriptionDetail } from '../../../api/records.ts';
import { CodeEditor } from '../../../parts/editor/code-editor.tsx';
import { Card } from '../../../parts/page.tsx';
import { ErrorAlert } from '../../../parts/error-alert.tsx';
import { firstTransform, templates } from './templates.ts';

interface TransformEditorProps {
  readonly subscription: SubscriptionDetail;
  /** Null: none. */
  readonly text: string | null;
  readonly onChange: (text: string | null) => void;
}

export function TransformEditor({ subscription, text, onChange }: TransformEditorProps): ReactNode {
  const save = useChange((transform: string | null) => put(`/v1/subscriptions/${subscription.id}`, { transform }), {
    doneMessage: 'The transform is saved. It holds for the events from now on.',
    quiet: true,
  });
  const problem = save.isError ? problemOf(save.error) : undefined;
  const line = problem?.details['line'];
  const isChanged = text !== subscription.transform;
  return (
    <Card
      title="Transform"
      actions={
        <div className="actions">
          {text === null ? null : (
            <Button size="xs" variant="default" onClick={() => onChange(null)}>
              Send events as they are
            </Button>
          )}
          <Button size="xs" disabled={!isChanged} loading={save.isPending} onClick={() => save.mutate(text)}>
            Save transform
          </Button>
        </div>
      }
    >
      {problem === undefined ? null : <ErrorAlert message={problem.message} />}
      <p className="dim small">
        A function of the event and its metadata. It returns the <code className="mono">body</code> and{' '}
        <code className="mono">headers</code> that are sent, or <code className="mono">null</code> to send nothing.
      </p>
      {text === null ? (
        <div className="actions">
          <Button variant="default" onClick={() => onChange(subscription.transform ?? firstTransform)}>
            Write a transform
          </Button>
          <Select
            aria-label="Begin with a template"
            placeholder="Begin with a template"
            data={templates.map(({ name }) => name)}
            value={null}
            onChange={(chosen) => onChange(templates.find(({ name }) => name === chosen)?.text ?? null)}
          />
        </div>
      ) : (
        <CodeEditor
          label="Transform"
          language="javascript"
          initial={text}
          onChange={onChange}
          line={typeof line === 'number' ? line : undefined}
        />
      )}
    </Card>
  );
}
