// The page that creates a webhook, and then shows its signing key, once.
import { useState } from 'react';
import type { ReactNode } from 'react';
import { Button } from '@mantine/core';
import { Link } from 'wouter';
import { post } from '../api/http.ts';
import { problemOf } from '../api/problem.ts';
import { useChange } from '../api/record.ts';
import type { WebhookWithKey } from '../api/records.ts';
import { useUnsaved } from '../parts/hooks/unsaved.ts';
import { Card, Page } from '../parts/page.tsx';
import { ErrorAlert } from '../parts/error-alert.tsx';
import { defaultPolicy, requestOf } from './policy.ts';
import { PolicyForm } from './policy-form.tsx';
import { SigningKey } from './signing-key.tsx';

const parent = { href: '/webhooks', name: 'Webhooks' };

export function NewWebhook(): ReactNode {
  const [policy, setPolicy] = useState(defaultPolicy);
  const creation = useChange(() => post<{ readonly data: WebhookWithKey }>('/v1/webhooks', requestOf(policy)), {
    quiet: true,
  });
  const isEdited = JSON.stringify(policy) !== JSON.stringify(defaultPolicy);
  useUnsaved(isEdited && !creation.isPending && creation.data === undefined);
  if (creation.data !== undefined) return <Created webhook={creation.data.data} />;
  const problem = creation.isError ? problemOf(creation.error) : undefined;
  return (
    <Page title="New webhook" lead="Events are sent to it once a subscription leads there." parent={parent}>
      <Card>
        <form
          className="form"
          onSubmit={(event) => {
            event.preventDefault();
            creation.mutate();
          }}
        >
          {problem === undefined ? null : <ErrorAlert message={problem.message} />}
          <PolicyForm
            policy={policy}
            problems={problem?.fields ?? {}}
            onChange={(part) => setPolicy({ ...policy, ...part })}
          />
          <div>
            <Button type="submit" loading={creation.isPending}>
              Create webhook
            </Button>
          </div>
        </form>
      </Card>
    </Page>
  );
}

const Created = ({ webhook }: { readonly webhook: WebhookWithKey }): ReactNode => (
  <Page title="The webhook is created" parent={parent}>
    <Card>
      <SigningKey webhook={webhook} />
      <div className="actions">
        <Button component={Link} href={`/subscriptions/new?webhook=${webhook.id}`}>
          Subscribe it to a source
        </Button>
        <Button component={Link} variant="default" href={`/webhooks/${webhook.id}`}>
          To the webhook
        </Button>
      </div>
    </Card>
  </Page>
);
