// Keeps the user's changes in a form on top of the current record: unchanged fields follow the record.
import { useEffect, useState } from 'react';

export interface Edits<T> {
  readonly values: T;
  readonly isChanged: boolean;
  readonly change: (part: Partial<T>) => void;
}

/** An edit is dropped once the record has the same value: it was saved or undone. */
export function useEdits<T extends object>(stored: T): Edits<T> {
  const [edits, setEdits] = useState<Partial<T>>({});
  const names = (Object.keys(edits) as (keyof T)[]).filter((name) => edits[name] !== stored[name]);
  const isStale = names.length < Object.keys(edits).length;
  useEffect(() => {
    if (isStale) setEdits((now) => unsavedEdits(now, stored));
  });
  return {
    values: { ...stored, ...edits },
    isChanged: names.length > 0,
    change: (part) => setEdits((now) => ({ ...now, ...part })),
  };
}

const unsavedEdits = <T extends object>(edits: Partial<T>, stored: T): Partial<T> =>
  Object.fromEntries(Object.entries(edits).filter(([name, value]) => value !== stored[name as keyof T])) as Partial<T>;
