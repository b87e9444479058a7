// Shows whether the component is being asked for its props, why that failed, and a button to ask again.
import type { ReactNode } from 'react';
import { Button } from '@mantine/core';
import { problemOf } from '../../api/problem.ts';
import type { DynamicProps } from './dynamic-props.ts';

export function DynamicPropsState({
  dynamic: { props, error, isLoading, refresh },
}: {
  readonly dynamic: DynamicProps;
}): ReactNode {
  const hasDynamic = props.some(({ reloadProps, dynamic }) => reloadProps === true || dynamic === true);
  if (!hasDynamic && error === null) return null;
  return (
    <div className="actions">
      {error === null || isLoading ? null : (
        <span className="small bad-text" role="alert">
          {problemOf(error).message}
        </span>
      )}
      <Button size="xs" variant="default" loading={isLoading} onClick={refresh}>
        Refresh fields
      </Button>
    </div>
  );
}
