// Shows any JSON as a foldable tree. Only open parts are drawn, so that a large event is drawn quickly.
import { useState } from 'react';
import type { ReactNode } from 'react';
import { Button } from '@mantine/core';
import { useCopy } from '../copy.tsx';
import { formatCount } from '../format.ts';
import { foldedText, membersOf, pathText, pathLabel, displayName, displayText } from './json-path.ts';
import type { Step } from './json-path.ts';

/** Levels that are open at first. */
const openDepth = 2;
/** Members that are drawn at once; more on demand. */
const membersShown = 100;
/** Characters of a text that are drawn at once; more on demand. */
const unitsShown = 2_000;

export const JsonTree = ({ value }: { readonly value: unknown }): ReactNode => (
  <ul className="json" aria-label="JSON">
    <Node value={value} path={[]} />
  </ul>
);

interface NodeProps {
  readonly value: unknown;
  readonly path: readonly Step[];
}

function Node({ value, path }: NodeProps): ReactNode {
  const [open, setOpen] = useState(path.length < openDepth);
  const name = path.at(-1);
  const key =
    name === undefined ? null : (
      <>
        <span className="json-key">{displayName(name)}</span>:{' '}
      </>
    );
  if (membersOf(value).length === 0)
    return (
      <li>
        <div className="json-line">
          <span className="json-leaf">
            {key}
            <Scalar value={value} />
          </span>
          <CopyNode value={value} path={path} />
        </div>
      </li>
    );
  return (
    <li>
      <div className="json-line">
        <button type="button" className="json-toggle" aria-expanded={open} onClick={() => setOpen(!open)}>
          {key}
          <span className="dim">{foldedText(value)}</span>
        </button>
        <CopyNode value={value} path={path} />
      </div>
      {open ? <Members value={value} path={path} /> : null}
    </li>
  );
}

function Members({ value, path }: NodeProps): ReactNode {
  const [shown, setShown] = useState(membersShown);
  const members = membersOf(value);
  return (
    <ul>
      {members.slice(0, shown).map(([step, member]) => (
        <Node key={step} value={member} path={[...path, step]} />
      ))}
      {members.length > shown ? (
        <li>
          <Button variant="subtle" size="compact-xs" onClick={() => setShown(shown + membersShown)}>
            {formatCount(members.length - shown)} more
          </Button>
        </li>
      ) : null}
    </ul>
  );
}

function Scalar({ value }: { readonly value: unknown }): ReactNode {
  if (typeof value === 'string') return <Text value={value} />;
  if (typeof value === 'number') return <span className="json-number">{String(value)}</span>;
  return <span className="json-word">{JSON.stringify(value)}</span>;
}

function Text({ value }: { readonly value: string }): ReactNode {
  const [isExpanded, setExpanded] = useState(value.length <= unitsShown);
  if (isExpanded) return <span className="json-string">{displayText(value)}</span>;
  return (
    <>
      <span className="json-string">{displayText(value.slice(0, unitsShown))}</span>{' '}
      <Button variant="subtle" size="compact-xs" onClick={() => setExpanded(true)}>
        All {formatCount(value.length)} characters
      </Button>
    </>
  );
}

function CopyNode({ value, path }: NodeProps): ReactNode {
  const label = pathLabel(path);
  const [isPathCopied, copyPath] = useCopy();
  const [isValueCopied, copyValue] = useCopy();
  return (
    <span className="json-copy">
      <button type="button" aria-label={`Copy path ${label}`} onClick={() => copyPath(pathText(path))}>
        {isPathCopied ? 'copied' : 'path'}
      </button>
      <button
        type="button"
        aria-label={`Copy value of ${label}`}
        onClick={() => copyValue(typeof value === 'string' ? value : JSON.stringify(value, null, 2))}
      >
        {isValueCopied ? 'copied' : 'value'}
      </button>
    </span>
  );
}
