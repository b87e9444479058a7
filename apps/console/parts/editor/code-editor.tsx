// An editor for code and JSON, whose code is loaded when one is first shown.
import type { ReactNode } from 'react';
import { loaded } from '../loaded.tsx';
import type { EditorProps } from './mounted-editor.tsx';

const Mounted = loaded(async () => (await import('./mounted-editor.tsx')).MountedEditor);

export const CodeEditor = (props: EditorProps): ReactNode => (
  <div className="editor">
    <Mounted.Part {...props} />
  </div>
);
