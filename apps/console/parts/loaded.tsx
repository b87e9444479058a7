// Makes a part of the console whose code is loaded when it is first shown, or ahead of that.
import { useEffect, useState } from 'react';
import type { ComponentType, ReactNode } from 'react';
import { Problem } from '../api/problem.ts';
import { Failed, Loading } from './states.tsx';

export interface Loaded<P> {
  /** Renders the part as soon as its code is loaded. */
  readonly Part: (props: P) => ReactNode;
  /** Loads the code, unless it is loaded or loading. Never rejects: `Part` shows the failure. */
  readonly load: () => Promise<void>;
}

/** Not `Suspense`: once it has shown that something is loading, it holds back what has loaded for up to 300 ms. */
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

/** File names change with each version: a page opened before an update requests files of the former version. */
const absent = new Problem('A part of this page could not be loaded. The service may be away, or have been updated.', {
  code: 'not_loaded',
});
