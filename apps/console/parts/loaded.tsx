// A part of the console whose code is loaded when it is first wanted, or ahead of that.
import { useEffect, useState } from 'react';
import type { ComponentType, ReactNode } from 'react';
import { Problem } from '../api/problem.ts';
import { Failed, Loading } from './states.tsx';

export interface Loaded<P> {
  /** Draws it as soon as it is there. */
  readonly Part: (props: P) => ReactNode;
  /** Begins to load it, unless it is there or on its way. Never fails: drawing says what went wrong. */
  readonly load: () => Promise<void>;
}

/** `Suspense` would keep what has come back for 300 ms once it has drawn that something is loading. */
export function loaded<P extends object>(
  ask: () => Promise<ComponentType<P>>,
  { meanwhile = <Loading /> }: { readonly meanwhile?: ReactNode } = {},
): Loaded<P> {
  let found: ComponentType<P> | undefined;
  let asked: Promise<void> | undefined;
  const load = (): Promise<void> => {
    asked ??= ask().then(
      (component) => {
        found = component;
      },
      () => {
        asked = undefined;
      },
    );
    return asked;
  };
  function Part(props: P): ReactNode {
    const [isAsked, setAsked] = useState(false);
    useEffect(() => {
      if (!isAsked) void load().then(() => setAsked(true));
    }, [isAsked]);
    if (found !== undefined) {
      const Found = found;
      return <Found {...props} />;
    }
    return isAsked ? <Failed error={absent} retry={() => location.reload()} /> : meanwhile;
  }
  return { Part, load };
}

/** The names of files change with each version: a page that stood open asks for those of the former one. */
const absent = new Problem('A part of this page could not be loaded. The service may be away, or have been updated.', {
  code: 'not_loaded',
});
