// What the service refused, and why, above the form that asked for it.
import type { ReactNode } from 'react';
import { Alert } from '@mantine/core';

export const Refused = ({ message }: { readonly message: string }): ReactNode => (
  <Alert color="red" variant="outline" title="Not done" role="alert">
    {message}
  </Alert>
);
