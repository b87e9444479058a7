// The page that creates a webhook, and then shows its signing key, once.
import { useState } from 'react';
import type { ReactNode } from 'react';
import { Button } from '@mantine/core';
import { Link } from 'wouter';
import { post } from '../api/http.ts';
import { problemOf } from '../api/problem.ts';
import { useChange } from '../api/record.ts';
import type { KeyedWebhook } from '../api/records.ts';
import { useUnsaved } from '../parts/hooks/unsaved.ts';
import { Card, Page } from '../parts/page.tsx';
import { Refused } from '../parts/refused.tsx';
import { firstPolicy, requestOf } from './policy.ts';
import { PolicyForm } from './policy-form.tsx';
import { SigningKey } from './signing-key.tsx';

const parent = { href: '/webhooks', name: 'Webhooks' };

export function NewWebhook(): ReactNode {
  const [policy, setPolicy] = useState(firstPolicy);
  const creation = useChange(() => post<{ readonly data: KeyedWebhook }>('/v1/webhooks', requestOf(policy)), {
    quiet: true,
  });
  const isBegun = JSON.stringify(policy) !== JSON.stringify(firstPolicy);
  useUnsaved(isBegun && !creation.isPending && creation.data === undefined);
  if (creation.data !== undefined) return <Created webhook={creation.data.data} />;
  const refused = creation.isError ? problemOf(creation.error) : undefined;
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
          {refused === undefined ? null : <Refused message={refused.message} />}
          <PolicyForm
            policy={policy}
            problems={refused?.fields ?? {}}
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

const Created = ({ webhook }: { readonly webhook: KeyedWebhook }): ReactNode => (
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
