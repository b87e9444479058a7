// Keeps the user's edits of a source's code, even if other code is deployed meanwhile, here or elsewhere.
import { useEffect, useState } from 'react';

interface DeployedCode {
  readonly code: string;
  readonly hash: string;
}

export interface CodeEdits {
  /** The text that the editor starts with, and its number: with a new number it starts again. */
  readonly initialCode: string;
  readonly editorKey: number;
  /** Undefined: nothing was edited. */
  readonly edited: string | undefined;
  /** What was deployed from here and is not shown yet. */
  readonly deployed: string | undefined;
  readonly isChanged: boolean;
  /** Other code was deployed since this edit began. */
  readonly isOutdated: boolean;
  readonly edit: (text: string) => void;
  readonly discard: () => void;
  /** Notes that this text was deployed from here, before the shown code is loaded again. */
  readonly markDeployed: (text: string) => void;
}

export function useCodeEdits({ code, hash }: DeployedCode): CodeEdits {
  const [edited, setEdited] = useState<string>();
  const [deployed, setDeployed] = useState<string>();
  const [base, setBase] = useState({ code, hash });
  const [editorKey, setEditorKey] = useState(0);
  const isChanged = edited !== undefined && edited !== code && edited !== deployed;
  const isOtherCode = base.hash !== hash;
  const resetToDeployed = (): void => {
    setBase({ code, hash });
    setEdited(undefined);
    setDeployed(undefined);
  };
  useEffect(() => {
    if (!isOtherCode || isChanged) return;
    resetToDeployed();
    // Unchanged text follows the deployed code. An editor that already shows this code is kept, with its undo history.
    if (edited !== code) setEditorKey(editorKey + 1);
  });
  return {
    initialCode: base.code,
    editorKey,
    edited,
    deployed,
    isChanged,
    isOutdated: isOtherCode && isChanged && code !== deployed,
    edit: setEdited,
    discard: () => {
      resetToDeployed();
      setEditorKey(editorKey + 1);
    },
    markDeployed: setDeployed,
  };
}
