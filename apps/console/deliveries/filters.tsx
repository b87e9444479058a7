// The form with the filters by which deliveries are searched.
import type { ReactNode } from 'react';
import { SegmentedControl, Select, TextInput } from '@mantine/core';
import { NamedSelect } from '../parts/search/named-select.tsx';
import { withFilter } from './search.ts';
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
  /** Only parked deliveries are listed: the state cannot be chosen. */
  readonly isParked: boolean;
  readonly onChange: (filters: DeliveryFilters) => void;
}

export function Filters({ filters, isParked, onChange }: FiltersProps): ReactNode {
  const set = (name: keyof DeliveryFilters, value: string | null): void => onChange(withFilter(filters, name, value));
  const recordSelect = (kind: 'sources' | 'webhooks', name: 'source_id' | 'webhook_id', label: string): ReactNode => (
    <NamedSelect
      kind={kind}
      size="xs"
      aria-label={label}
      placeholder={label}
      clear={`Any: ${label}`}
      value={filters[name] ?? null}
      onChange={(value) => set(name, value)}
    />
  );
  const textFilter = (name: 'q' | 'event_id' | 'status', label: string): ReactNode => (
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
      {recordSelect('sources', 'source_id', 'Source')}
      {recordSelect('webhooks', 'webhook_id', 'Webhook')}
      <Select
        size="xs"
        aria-label="Any time"
        placeholder="Any time"
        clearable
        clearButtonProps={{ 'aria-label': 'Any time' }}
        data={withChosen(spans, filters.hours)}
        value={filters.hours ?? null}
        onChange={(value) => set('hours', value)}
      />
      {textFilter('q', 'Error, answer or id')}
      {textFilter('status', 'Status, such as 503')}
      {textFilter('event_id', 'Event id')}
    </div>
  );
}

interface Choice {
  readonly value: string;
  readonly label: string;
}

/** Adds the chosen time if it is not among the choices: an address can name any. */
const withChosen = (choices: readonly Choice[], chosen: string | undefined): Choice[] =>
  chosen === undefined || choices.some(({ value }) => value === chosen)
    ? [...choices]
    : [...choices, { value: chosen, label: `Last ${chosen} hours` }];
