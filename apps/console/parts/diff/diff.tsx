// Shows a change of a text as removed and added lines, marked by signs and words; colours only repeat these.
import type { ReactNode } from 'react';
import { pluralize } from '../format.ts';
import { diffOf } from './line-diff.ts';

interface DiffProps {
  readonly before: string;
  readonly after: string;
}

/** More lines than anybody reads. */
const linesMax = 2_000;
const signs = { same: ' ', added: '+', removed: '−' } as const;
const spoken = { same: '', added: 'Added: ', removed: 'Removed: ' } as const;

export function Diff({ before, after }: DiffProps): ReactNode {
  const lines = diffOf(before, after);
  return (
    <div className="diff" role="region" aria-label="Changes" tabIndex={0}>
      {lines.slice(0, linesMax).map((line, at) =>
        line.kind === 'gap' ? (
          <div key={at} className="diff-gap">
            {pluralize(line.lines, 'line')} unchanged
          </div>
        ) : (
          <div key={at} className={`diff-line ${line.kind}`}>
            <span aria-hidden="true">{`${line.number} ${signs[line.kind]}`}</span>
            <code>
              <span className="unseen">{spoken[line.kind]}</span>
              {line.text}
            </code>
          </div>
        ),
      )}
      {lines.length > linesMax ? (
        <div className="diff-gap">{pluralize(lines.length - linesMax, 'further line')}</div>
      ) : null}
    </div>
  );
}
