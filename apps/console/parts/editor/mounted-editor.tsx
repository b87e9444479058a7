// Mounts CodeMirror in a shadow tree, where it adopts style sheets; in the page itself it would add a style tag.
import { useEffect, useRef } from 'react';
import type { ReactNode } from 'react';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { javascript } from '@codemirror/lang-javascript';
import { json } from '@codemirror/lang-json';
import { HighlightStyle, bracketMatching, indentOnInput, syntaxHighlighting } from '@codemirror/language';
import { EditorState } from '@codemirror/state';
import type { Extension } from '@codemirror/state';
import {
  EditorView,
  drawSelection,
  highlightActiveLine,
  highlightSpecialChars,
  keymap,
  lineNumbers,
} from '@codemirror/view';
import { tags } from '@lezer/highlight';

export interface EditorProps {
  readonly label: string;
  readonly language: 'javascript' | 'json';
  /** The first text; afterwards the editor itself holds the text. */
  readonly initial: string;
  readonly onChange: (value: string) => void;
  /** The line of an error, to which the cursor is moved. */
  readonly line?: number | undefined;
}

/** Tab is not bound, so that it leaves the editor: people who use only the keyboard would be caught in it. */
function extensions({ label, language }: EditorProps): Extension {
  return [
    lineNumbers(),
    history(),
    // Makes direction marks visible, which could make code look like other code.
    highlightSpecialChars(),
    drawSelection(),
    indentOnInput(),
    bracketMatching(),
    highlightActiveLine(),
    keymap.of([...defaultKeymap, ...historyKeymap]),
    language === 'javascript' ? javascript({ typescript: true }) : json(),
    syntaxHighlighting(colours),
    EditorView.contentAttributes.of({ 'aria-label': label }),
    EditorView.lineWrapping,
    editorTheme,
  ];
}

/** Uses the CSS variables of the page, which also apply in the shadow tree and differ between colour schemes. */
const editorTheme = EditorView.theme({
  '&': { fontSize: '13px', color: 'var(--mantine-color-text)', height: '100%' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--mantine-font-family-monospace)', lineHeight: '1.55' },
  '.cm-content': { padding: '10px 0', caretColor: 'var(--mantine-color-text)' },
  '.cm-cursor': { borderLeftColor: 'var(--mantine-color-text)' },
  '.cm-specialChar': { color: 'var(--bad)' },
  '.cm-gutters': { backgroundColor: 'var(--surface-2)', color: 'var(--mantine-color-dimmed)', border: 'none' },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'transparent' },
  '&.cm-focused .cm-activeLine': { backgroundColor: 'var(--surface-2)' },
  '& .cm-selectionBackground, &.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground': {
    background: 'var(--accent-ground)',
  },
});

const colours = HighlightStyle.define([
  { tag: [tags.keyword, tags.bool, tags.null, tags.self], color: 'var(--json-word)' },
  { tag: [tags.string, tags.special(tags.string), tags.regexp], color: 'var(--json-text)' },
  { tag: tags.number, color: 'var(--json-number)' },
  { tag: [tags.propertyName, tags.definition(tags.variableName)], color: 'var(--json-key)' },
  { tag: tags.comment, color: 'var(--mantine-color-dimmed)', fontStyle: 'italic' },
]);

/** Whether every line ends with CRLF: the editor unifies mixed line ends. */
const hasCrlf = (text: string): boolean => text.includes('\r\n') && !/(?<!\r)\n|\r(?!\n)/.test(text);

export function MountedEditor(props: EditorProps): ReactNode {
  const { line } = props;
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(undefined);
  const latest = useRef(props);
  useEffect(() => {
    latest.current = props;
  });
  useEffect(() => {
    if (host.current === null) return undefined;
    const root = host.current.shadowRoot ?? host.current.attachShadow({ mode: 'open' });
    // The editor uses one line separator for its whole text, so a text with CRLF is returned with CRLF.
    const lineBreak = hasCrlf(latest.current.initial) ? '\r\n' : '\n';
    const changeListener = EditorView.updateListener.of(({ docChanged, state: { doc } }) => {
      if (docChanged) latest.current.onChange(doc.sliceString(0, doc.length, lineBreak));
    });
    const state = EditorState.create({
      doc: latest.current.initial,
      extensions: [extensions(latest.current), changeListener],
    });
    const editor = new EditorView({ state, parent: root, root });
    view.current = editor;
    return () => editor.destroy();
  }, []);
  useEffect(() => {
    const editor = view.current;
    if (editor === undefined || line === undefined || line > editor.state.doc.lines) return;
    editor.dispatch({ selection: { anchor: editor.state.doc.line(line).from }, scrollIntoView: true });
    editor.focus();
  }, [line]);
  return <div ref={host} />;
}
