// A link to a form that creates something; disabled, with the reason, for a key that may only read.
import type { ReactNode } from 'react';
import { Button } from '@mantine/core';
import { Link } from 'wouter';
import { useCanWrite } from '../../api/signed-in.ts';

interface CreateLinkProps {
  readonly href: string;
  readonly children: ReactNode;
}

export function CreateLink({ href, children }: CreateLinkProps): ReactNode {
  if (useCanWrite())
    return (
      <Button component={Link} href={href}>
        {children}
      </Button>
    );
  return (
    <Button disabled title="The API key that you are signed in with may only read.">
      {children}
    </Button>
  );
}
