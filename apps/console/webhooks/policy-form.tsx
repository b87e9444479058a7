// The form fields of a webhook: where it sends to, and how.
import type { ReactNode } from 'react';
import { NumberInput, Select, Switch, Textarea, TextInput } from '@mantine/core';
import type { Policy } from './policy.ts';

interface PolicyFormProps {
  readonly policy: Policy;
  /** Keyed by the API's name of the field. */
  readonly problems: Readonly<Record<string, string>>;
  readonly onChange: (part: Partial<Policy>) => void;
}

export function PolicyForm({ policy, problems, onChange: change }: PolicyFormProps): ReactNode {
  return (
    <>
      <TextInput
        label="URL"
        type="url"
        required
        placeholder="https://example.com/webhooks"
        value={policy.url}
        error={problems['url']}
        onChange={({ currentTarget: { value } }) => change({ url: value })}
      />
      <TextInput
        label="Name"
        value={policy.name}
        error={problems['name']}
        onChange={({ currentTarget: { value } }) => change({ name: value })}
      />
      <Textarea
        label="Description"
        description="What it is for."
        autosize
        value={policy.description}
        error={problems['description']}
        onChange={({ currentTarget: { value } }) => change({ description: value })}
      />
      <Switch
        label="In order"
        description="One event of each source is in flight; the next waits until it is delivered or parked."
        checked={policy.ordered}
        onChange={({ currentTarget: { checked } }) => change({ ordered: checked })}
      />
      {policy.ordered ? (
        <TextInput
          label="Order key"
          description="A place in the event, such as /customer/id: only events with the same value there wait for each other. Empty: all of a source do."
          value={policy.orderKey}
          error={problems['order_key']}
          onChange={({ currentTarget: { value } }) => change({ orderKey: value })}
        />
      ) : null}
      <TextInput
        label="Seconds before each retry"
        description="Empty: ten attempts in three days. Otherwise such as 5, 60, 600."
        value={policy.retries}
        error={problems['retry_schedule']}
        onChange={({ currentTarget: { value } }) => change({ retries: value })}
      />
      <Limits policy={policy} problems={problems} change={change} />
    </>
  );
}

interface LimitsProps {
  readonly policy: Policy;
  readonly problems: Readonly<Record<string, string>>;
  readonly change: (part: Partial<Policy>) => void;
}

const signatures = [
  { value: 'hmac-sha256', label: 'HMAC-SHA256, a shared key' },
  { value: 'ed25519', label: 'Ed25519, a public key' },
];
const exhaustedChoices = [
  { value: 'park', label: 'It is parked, the next ones continue' },
  { value: 'block', label: 'The next ones wait' },
];

const Limits = ({ policy, problems, change }: LimitsProps): ReactNode => (
  <div className="fields">
    <Select
      label="Signed by"
      data={signatures}
      allowDeselect={false}
      value={policy.signature}
      onChange={(value) => change({ signature: value === 'ed25519' ? 'ed25519' : 'hmac-sha256' })}
    />
    <Select
      label="After the last retry of an event"
      data={exhaustedChoices}
      allowDeselect={false}
      value={policy.onExhausted}
      onChange={(value) => change({ onExhausted: value === 'block' ? 'block' : 'park' })}
    />
    <NumberInput
      label="Time of an attempt, ms"
      value={policy.timeoutMs}
      error={problems['timeout_ms']}
      onChange={(value) => change({ timeoutMs: String(value) })}
    />
    <NumberInput
      label="Attempts a second"
      placeholder="Any"
      value={policy.rateLimit}
      error={problems['rate_limit']}
      onChange={(value) => change({ rateLimit: String(value) })}
    />
    <NumberInput
      label="In flight at most"
      placeholder="64"
      value={policy.maxInFlight}
      error={problems['max_in_flight']}
      onChange={(value) => change({ maxInFlight: String(value) })}
    />
  </div>
);
