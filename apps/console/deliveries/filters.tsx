// What deliveries are searched by, as fields.
import type { ReactNode } from 'react';
import { SegmentedControl, Select, TextInput } from '@mantine/core';
import { useNames, webhookName } from '../api/names.ts';
import { withGiven } from './search.ts';
import type { DeliveryFilters } from './search.ts';

const states = [
  { value: '', label: 'All' },
  { value: 'failing', label: 'Failing' },
  { value: 'parked', label: 'Parked' },
  { value: 'delivered', label: 'Delivered' },
  { value: 'discarded', label: 'Discarded' },
];
const spans = [
  { value: '1', label: 'Last hour' },
  { value: '24', label: 'Last day' },
  { value: '168', label: 'Last week' },
];

interface FiltersProps {
  readonly filters: DeliveryFilters;
  /** The state is given. */
  readonly isParked: boolean;
  readonly onChange: (filters: DeliveryFilters) => void;
}

export function Filters({ filters, isParked, onChange }: FiltersProps): ReactNode {
  const { sources, webhooks } = useNames();
  const set = (name: keyof DeliveryFilters, value: string | null): void => onChange(withGiven(filters, name, value));
  const listed = {
    source_id: sources.map(({ id, name }) => ({ value: id, label: name ?? id })),
    webhook_id: webhooks.map((webhook) => ({ value: webhook.id, label: webhookName(webhook) })),
    hours: spans,
  };
  const choice = (name: keyof typeof listed, label: string): ReactNode => (
    <Select
      size="xs"
      aria-label={label}
      placeholder={label}
      clearable
      searchable
      clearButtonProps={{ 'aria-label': `Any: ${label}` }}
      data={withChosen(listed[name], filters[name])}
      value={filters[name] ?? null}
      onChange={(value) => set(name, value)}
    />
  );
  const text = (name: 'q' | 'event_id' | 'status', label: string): ReactNode => (
    <TextInput
      size="xs"
      type="search"
      aria-label={label}
      placeholder={label}
      value={filters[name] ?? ''}
      onChange={({ currentTarget: { value } }) => set(name, name === 'q' ? value : value.trim())}
    />
  );
  return (
    <div className="filters">
      {isParked ? null : (
        <SegmentedControl
          size="xs"
          aria-label="State"
          data={states}
          value={filters.state ?? ''}
          onChange={(value) => set('state', value)}
        />
      )}
      {choice('source_id', 'Source')}
      {choice('webhook_id', 'Webhook')}
      {choice('hours', 'Any time')}
      {text('q', 'Error, answer or id')}
      {text('status', 'Status, such as 503')}
      {text('event_id', 'Event id')}
    </div>
  );
}

interface Choice {
  readonly value: string;
  readonly label: string;
}

/** An address may name what is not among the newest. */
const withChosen = (choices: readonly Choice[], chosen: string | undefined): Choice[] =>
  chosen === undefined || choices.some(({ value }) => value === chosen)
    ? [...choices]
    : [...choices, { value: chosen, label: chosen }];
