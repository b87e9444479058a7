// Keeps the user's edits of a source's code, even if other code is deployed meanwhile, here or elsewhere.
import { useEffect, useState } from 'react';

interface Shown {
  readonly code: string;
  readonly hash: string;
}

export interface CodeEdits {
  /** The text that the editor starts with, and its number: with a new number it starts again. */
  readonly begun: string;
  readonly editor: number;
  /** Undefined: nothing was edited. */
  readonly edited: string | undefined;
  readonly isChanged: boolean;
  /** Other code was deployed since this edit began. */
  readonly isOutdated: boolean;
  readonly edit: (text: string) => void;
  readonly discard: () => void;
  /** Notes that this text was deployed from here, before the shown code is loaded again. */
  readonly keep: (text: string) => void;
}

export function useCodeEdits({ code, hash }: Shown): CodeEdits {
  const [edited, setEdited] = useState<string>();
  const [deployed, setDeployed] = useState<string>();
  const [begun, setBegun] = useState({ code, hash });
  const [editor, setEditor] = useState(0);
  const isChanged = edited !== undefined && edited !== code && edited !== deployed;
  const isOther = begun.hash !== hash;
  const follow = (): void => {
    setBegun({ code, hash });
    setEdited(undefined);
    setDeployed(undefined);
  };
  useEffect(() => {
    if (!isOther || isChanged) return;
    follow();
    // Unchanged text follows the deployed code. An editor that already shows this code is kept, with its undo history.
    if (edited !== code) setEditor(editor + 1);
  });
  return {
    begun: begun.code,
    editor,
    edited,
    isChanged,
    isOutdated: isOther && isChanged && code !== deployed,
    edit: setEdited,
    discard: () => {
      follow();
      setEditor(editor + 1);
    },
    keep: setDeployed,
  };
}
