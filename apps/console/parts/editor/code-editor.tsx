// An editor for code and JSON, whose code is loaded when one is first shown.
import type { ReactNode } from 'react';
import { lazyPart } from '../lazy-part.tsx';
import type { EditorProps } from './mounted-editor.tsx';

const LazyEditor = lazyPart(async () => (await import('./mounted-editor.tsx')).MountedEditor);

export const CodeEditor = (props: EditorProps): ReactNode => (
  <div className="editor">
    <LazyEditor.Part {...props} />
  </div>
);
