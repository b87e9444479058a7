// What is shown in place of content that is loading, empty or failed to load.
import type { ReactNode } from 'react';
import { Button, Skeleton } from '@mantine/core';
import { problemOf } from '../api/problem.ts';
import { Icon } from './icons.tsx';
import type { IconName } from './icons.tsx';

export const Loading = ({ rows = 4 }: { readonly rows?: number }): ReactNode => (
  <div className="card-body" role="status" aria-label="Loading">
    {Array.from({ length: rows }, (_, row) => (
      <Skeleton key={row} height={18} />
    ))}
  </div>
);

interface EmptyProps {
  readonly icon: IconName;
  readonly title: string;
  readonly children: ReactNode;
  readonly action?: ReactNode;
}

export const Empty = ({ icon, title, children, action }: EmptyProps): ReactNode => (
  <div className="state">
    <Icon name={icon} size={32} />
    <h2>{title}</h2>
    <p>{children}</p>
    {action}
  </div>
);

export function Failed({ error, retry }: { readonly error: unknown; readonly retry?: () => void }): ReactNode {
  const { message, code, status } = problemOf(error);
  const title = code === 'no_answer' ? 'The service does not answer' : status === 404 ? 'Not found' : 'This went wrong';
  const text = status === 404 ? 'It was deleted, or the link is not complete.' : message;
  return (
    <div className="state" role="alert">
      <Icon name="warning" size={32} />
      <h2>{title}</h2>
      <p>{text}</p>
      {retry === undefined ? null : (
        <Button variant="default" onClick={retry}>
          Try again
        </Button>
      )}
    </div>
  );
}
