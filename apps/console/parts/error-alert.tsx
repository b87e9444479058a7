// Shows, above a form, why the service refused its request.
import type { ReactNode } from 'react';
import { Alert } from '@mantine/core';

export const ErrorAlert = ({ message }: { readonly message: string }): ReactNode => (
  <Alert color="red" variant="outline" title="Not done" role="alert">
    {message}
  </Alert>
);
