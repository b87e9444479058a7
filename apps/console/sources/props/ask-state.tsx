// Shows whether the component is being asked for its props, why that failed, and a button to ask again.
import type { ReactNode } from 'react';
import { Button } from '@mantine/core';
import { problemOf } from '../../api/problem.ts';
import type { DynamicProps } from './dynamic-props.ts';

export function AskState({ dynamic: { props, error, isAsking, ask } }: { readonly dynamic: DynamicProps }): ReactNode {
  const hasDynamic = props.some(({ reloadProps, dynamic }) => reloadProps === true || dynamic === true);
  if (!hasDynamic && error === null) return null;
  return (
    <div className="actions">
      {error === null || isAsking ? null : (
        <span className="small bad-text" role="alert">
          {problemOf(error).message}
        </span>
      )}
      <Button size="xs" variant="default" loading={isAsking} onClick={ask}>
        Refresh fields
      </Button>
    </div>
  );
}
