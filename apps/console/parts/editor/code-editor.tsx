// An editor for code and JSON, loaded when one is first shown.
import { Suspense, lazy } from 'react';
import type { ReactNode } from 'react';
import { Loading } from '../states.tsx';
import type { EditorProps } from './mounted-editor.tsx';

const Mounted = lazy(async () => ({ default: (await import('./mounted-editor.tsx')).MountedEditor }));

export const CodeEditor = (props: EditorProps): ReactNode => (
  <div className="editor">
    <Suspense fallback={<Loading rows={6} />}>
      <Mounted {...props} />
    </Suspense>
  </div>
);
