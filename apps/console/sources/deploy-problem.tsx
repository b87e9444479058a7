// Shows why a component was not deployed: the error with its place in the code, and the console output of its hooks.
import type { ReactNode } from 'react';
import { Alert } from '@mantine/core';
import type { Problem } from '../api/problem.ts';

const titles: Readonly<Record<string, string>> = {
  component_invalid: 'The code is not a component',
  props_invalid: 'Some props are not right',
  hook_failed: 'A hook of the component failed',
  fetch_failed: 'The code could not be fetched',
  no_answer: 'No answer: it may have been done',
  unknown_outcome: 'It may have been done',
};

export function DeployProblem({ problem }: { readonly problem: Problem }): ReactNode {
  const { code, message, details } = problem;
  const { line, column, stack } = details;
  const lines = consoleOf(details['console']);
  return (
    <Alert color="red" variant="outline" title={titles[code] ?? 'Not deployed'} role="alert">
      <div className="card-body bare">
        <div>
          {message}
          {typeof line === 'number' && !message.includes(`line ${line}`)
            ? ` (line ${line}${typeof column === 'number' ? `, column ${column}` : ''})`
            : ''}
        </div>
        {typeof stack === 'string' ? (
          <pre className="pre" tabIndex={0}>
            {stack}
          </pre>
        ) : null}
        {lines.length === 0 ? null : (
          <section>
            <h2>Console</h2>
            <pre className="pre" tabIndex={0}>
              {lines.join('\n')}
            </pre>
          </section>
        )}
      </div>
    </Alert>
  );
}

function consoleOf(value: unknown): readonly string[] {
  if (!Array.isArray(value)) return [];
  return (value as readonly { readonly text?: unknown }[]).map(({ text }) => String(text));
}
