// Draws a page, or an error in its place if drawing fails; the frame and the other pages remain usable.
import { Component, useEffect } from 'react';
import type { ReactNode } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { Problem } from '../api/problem.ts';
import { Page } from '../parts/page.tsx';
import { Failed } from '../parts/states.tsx';

interface State {
  readonly hasFailed: boolean;
}

export class ErrorBoundary extends Component<{ readonly children: ReactNode }, State> {
  override readonly state: State = { hasFailed: false };

  static getDerivedStateFromError(): State {
    return { hasFailed: true };
  }

  override render(): ReactNode {
    return this.state.hasFailed ? <RenderError /> : this.props.children;
  }
}

function RenderError(): ReactNode {
  const queries = useQueryClient();
  // Removes the cached answers that the page failed on, once nothing uses them: another page would fail on them, too.
  useEffect(() => queries.removeQueries({ type: 'inactive' }), [queries]);
  return (
    <Page title="Not shown">
      <Failed error={renderProblem} retry={() => location.reload()} />
    </Page>
  );
}

const renderProblem = new Problem(
  'This page cannot be shown with the answers that it got. Something on the way may have answered instead of the service.',
  { code: 'not_shown' },
);
