// Makes a part of the console whose code is loaded when it is first shown, or ahead of that.
import { useEffect, useState } from 'react';
import type { ComponentType, ReactNode } from 'react';
import { Problem } from '../api/problem.ts';
import { Failed, Loading } from './states.tsx';

export interface LazyPart<P> {
  /** Renders the part as soon as its code is loaded. */
  readonly Part: (props: P) => ReactNode;
  /** Loads the code, unless it is loaded or loading. Never rejects: `Part` shows the failure. */
  readonly load: () => Promise<void>;
}

/** Not `Suspense`: once it has shown that something is loading, it holds back what has loaded for up to 300 ms. */
export function lazyPart<P extends object>(
  importPart: () => Promise<ComponentType<P>>,
  { placeholder = <Loading /> }: { readonly placeholder?: ReactNode } = {},
): LazyPart<P> {
  let loadedPart: ComponentType<P> | undefined;
  let loading: Promise<void> | undefined;
  const load = (): Promise<void> => {
    loading ??= importPart().then(
      (component) => {
        loadedPart = component;
      },
      () => {
        loading = undefined;
      },
    );
    return loading;
  };
  function Part(props: P): ReactNode {
    const [hasTried, setTried] = useState(false);
    useEffect(() => {
      if (!hasTried) void load().then(() => setTried(true));
    }, [hasTried]);
    if (loadedPart !== undefined) {
      const LoadedPart = loadedPart;
      return <LoadedPart {...props} />;
    }
    return hasTried ? <Failed error={loadProblem} retry={() => location.reload()} /> : placeholder;
  }
  return { Part, load };
}

/** File names change with each version: a page opened before an update requests files of the former version. */
const loadProblem = new Problem(
  'A part of this page could not be loaded. The service may be away, or have been updated.',
  {
    code: 'not_loaded',
  },
);
