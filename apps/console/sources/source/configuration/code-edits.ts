// What somebody writes over the code of a source: it stays when other code is deployed meanwhile, from here or elsewhere.
import { useEffect, useState } from 'react';

interface Shown {
  readonly code: string;
  readonly hash: string;
}

export interface CodeEdits {
  /** What the editor begins with, and a number of it: with another one it begins anew. */
  readonly begun: string;
  readonly editor: number;
  /** Undefined: what is shown. */
  readonly edited: string | undefined;
  readonly isChanged: boolean;
  /** Others have deployed code since this was begun. */
  readonly isOutdated: boolean;
  readonly edit: (text: string) => void;
  readonly discard: () => void;
  /** This text has been deployed from here, and is maybe not what is shown yet. */
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
    // What nobody has changed here follows what is deployed. The editor that wrote this goes on, with all that can be undone.
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
