// CodeMirror in a shadow tree: there it adopts its styles as sheets, where in the page it would write a style tag.
import { useEffect, useRef } from 'react';
import type { ReactNode } from 'react';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { javascript } from '@codemirror/lang-javascript';
import { json } from '@codemirror/lang-json';
import { bracketMatching, defaultHighlightStyle, indentOnInput, syntaxHighlighting } from '@codemirror/language';
import { EditorState } from '@codemirror/state';
import type { Extension } from '@codemirror/state';
import { oneDarkHighlightStyle } from '@codemirror/theme-one-dark';
import { EditorView, drawSelection, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view';
import { useComputedColorScheme } from '@mantine/core';

export interface EditorProps {
  readonly label: string;
  readonly language: 'javascript' | 'json';
  /** What it begins with; after that the text is the editor's own. */
  readonly initial: string;
  readonly onChange: (value: string) => void;
  /** Where an error is: the cursor goes there. */
  readonly line?: number | undefined;
}

/** Tab leaves the editor, so that nobody who uses keys alone is caught in it. */
function extensions({ label, language }: EditorProps, isDark: boolean): Extension {
  return [
    lineNumbers(),
    history(),
    drawSelection(),
    indentOnInput(),
    bracketMatching(),
    highlightActiveLine(),
    keymap.of([...defaultKeymap, ...historyKeymap]),
    language === 'javascript' ? javascript({ typescript: true }) : json(),
    syntaxHighlighting(isDark ? oneDarkHighlightStyle : defaultHighlightStyle),
    EditorView.contentAttributes.of({ 'aria-label': label }),
    EditorView.lineWrapping,
    look(isDark),
  ];
}

const look = (isDark: boolean): Extension =>
  EditorView.theme(
    {
      '&': { fontSize: '13px', color: isDark ? '#e3eaef' : '#16212a', height: '100%' },
      '&.cm-focused': { outline: 'none' },
      '.cm-scroller': { fontFamily: 'ui-monospace, Menlo, Consolas, "Liberation Mono", monospace', lineHeight: '1.55' },
      '.cm-content': { padding: '10px 0', caretColor: isDark ? '#fff' : '#000' },
      '.cm-cursor': { borderLeftColor: isDark ? '#fff' : '#000' },
      '.cm-gutters': {
        backgroundColor: isDark ? '#1d262f' : '#f0f4f6',
        color: isDark ? '#a0b0bc' : '#51606b',
        border: 'none',
      },
      '.cm-activeLine': { backgroundColor: isDark ? '#ffffff0a' : '#0b6e7909' },
    },
    { dark: isDark },
  );

export function MountedEditor(props: EditorProps): ReactNode {
  const { line } = props;
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(undefined);
  const latest = useRef(props);
  const text = useRef(props.initial);
  const isDark = useComputedColorScheme() === 'dark';
  useEffect(() => {
    latest.current = props;
  });
  useEffect(() => {
    if (host.current === null) return undefined;
    const root = host.current.shadowRoot ?? host.current.attachShadow({ mode: 'open' });
    const changes = EditorView.updateListener.of(({ docChanged, state }) => {
      if (!docChanged) return;
      text.current = state.doc.toString();
      latest.current.onChange(text.current);
    });
    const state = EditorState.create({
      doc: text.current,
      extensions: [extensions(latest.current, isDark), changes],
    });
    const mounted = new EditorView({ state, parent: root, root });
    view.current = mounted;
    return () => mounted.destroy();
  }, [isDark]);
  useEffect(() => {
    const mounted = view.current;
    if (mounted === undefined || line === undefined || line > mounted.state.doc.lines) return;
    mounted.dispatch({ selection: { anchor: mounted.state.doc.line(line).from }, scrollIntoView: true });
    mounted.focus();
  }, [line]);
  return <div ref={host} />;
}
