// Shows code read-only: one text, or one of several files that the user chooses.
import { useState } from 'react';
import type { ReactNode } from 'react';
import { Select } from '@mantine/core';
import type { Component } from '../../api/records.ts';
import { CopyButton } from '../copy.tsx';
import { Card } from '../page.tsx';

interface CodeViewerProps {
  readonly component: Pick<Component, 'code' | 'entry' | 'files'>;
  /** Shown above the code. */
  readonly children?: ReactNode;
}

export function CodeViewer({ component: { code, entry, files }, children }: CodeViewerProps): ReactNode {
  const [path, setPath] = useState(entry);
  const text = files === null || path === null ? code : (files[path] ?? code);
  return (
    <Card title="Code" actions={<CopyButton text={() => text}>Copy code</CopyButton>}>
      {children}
      {files === null ? null : (
        <Select label="File" allowDeselect={false} data={Object.keys(files)} value={path} onChange={setPath} />
      )}
      <pre className="pre" tabIndex={0} aria-label="Code">
        {text}
      </pre>
    </Card>
  );
}
