// The field of a timer prop: an interval in seconds, or a cron expression with a time zone.
import type { ReactNode } from 'react';
import { Group, Input, NumberInput, SegmentedControl, TextInput } from '@mantine/core';
import type { Schedule } from './prop-values.ts';

interface TimerFieldProps {
  readonly label: string;
  readonly description: ReactNode;
  readonly error: string | undefined;
  readonly required: boolean;
  readonly schedule: Schedule;
  readonly onChange: (schedule: Schedule) => void;
}

const modes = [
  { value: 'every', label: 'Every' },
  { value: 'cron', label: 'Cron' },
];

export function TimerField({ label, description, error, schedule, onChange }: TimerFieldProps): ReactNode {
  const change = (part: Partial<Schedule>): void => onChange({ ...schedule, ...part });
  return (
    <Input.Wrapper label={label} description={description} error={error} labelElement="div">
      <Group gap="xs" align="center" mt={4}>
        <SegmentedControl
          size="xs"
          aria-label={`${label}: kind of schedule`}
          data={modes}
          value={schedule.mode}
          onChange={(mode) => change({ mode: mode === 'cron' ? 'cron' : 'every' })}
        />
        {schedule.mode === 'every' ? (
          <NumberInput
            aria-label={`${label}: seconds`}
            suffix=" seconds"
            min={1}
            value={schedule.every}
            onChange={(value) => change({ every: String(value) })}
          />
        ) : (
          <>
            <TextInput
              aria-label={`${label}: cron expression`}
              placeholder="*/5 * * * *"
              value={schedule.cron}
              onChange={({ currentTarget: { value } }) => change({ cron: value })}
            />
            <TextInput
              aria-label={`${label}: time zone`}
              placeholder="UTC, or Europe/Berlin"
              value={schedule.timezone}
              onChange={({ currentTarget: { value } }) => change({ timezone: value })}
            />
          </>
        )}
      </Group>
    </Input.Wrapper>
  );
}
