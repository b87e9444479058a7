// Sends a signed sample to the receiver now, and shows what it answered.
import type { ReactNode } from 'react';
import { Button } from '@mantine/core';
import { post } from '../../api/http.ts';
import { problemOf } from '../../api/problem.ts';
import { useChange } from '../../api/record.ts';
import type { Attempt } from '../../api/records.ts';
import { Attempts } from '../../deliveries/attempts.tsx';
import { Card } from '../../parts/page.tsx';
import { ErrorAlert } from '../../parts/error-alert.tsx';

export function TestWebhook({ id }: { readonly id: string }): ReactNode {
  const test = useChange(() => post<{ readonly data: Attempt }>(`/v1/webhooks/${id}/test`), { quiet: true });
  const send = (
    <Button size="xs" variant="default" loading={test.isPending} onClick={() => test.mutate()}>
      Send test
    </Button>
  );
  return (
    <Card title="Test" actions={send}>
      {test.isError ? <ErrorAlert message={problemOf(test.error).message} /> : null}
      {test.data === undefined ? (
        <p className="dim small">Sends a signed sample event to the receiver, also while the webhook is paused.</p>
      ) : (
        <Attempts delivery={{ attempts: [test.data.data] }} />
      )}
    </Card>
  );
}
