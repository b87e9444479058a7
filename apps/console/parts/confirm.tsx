// Asks for confirmation before an action that cannot be undone, and says what will happen.
import { useState } from 'react';
import type { ReactNode } from 'react';
import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import type { ButtonProps } from '@mantine/core';
import type { UseMutationResult } from '@tanstack/react-query';
import { problemOf } from '../api/problem.ts';

interface ConfirmProps {
  readonly opened: boolean;
  readonly title: string;
  readonly children: ReactNode;
  /** The text of the confirming button. */
  readonly verb: string;
  readonly isPending: boolean;
  readonly error?: unknown;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

export function Confirm({ opened, title, children, verb, isPending, error, ...handlers }: ConfirmProps): ReactNode {
  const failed = error !== null && error !== undefined;
  return (
    <Modal opened={opened} onClose={handlers.onClose} title={title}>
      <Stack>
        <Text size="sm" component="div">
          {children}
        </Text>
        {failed ? (
          <Text size="sm" className="bad-text" role="alert">
            {problemOf(error).message}
          </Text>
        ) : null}
        <Group justify="flex-end">
          <Button variant="default" onClick={handlers.onClose}>
            Cancel
          </Button>
          <Button color="red" loading={isPending} onClick={handlers.onConfirm}>
            {verb}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

interface ConfirmedButtonProps<T> extends Pick<ConfirmProps, 'title' | 'verb' | 'children'> {
  /** The text of the button in the page. */
  readonly label: string;
  readonly buttonProps?: Pick<ButtonProps, 'size' | 'variant' | 'color'>;
  readonly change: UseMutationResult<T, Error, void>;
}

/** A button that asks for confirmation before its change. */
export function ConfirmedButton<T>({
  label,
  buttonProps = {},
  change,
  ...confirmProps
}: ConfirmedButtonProps<T>): ReactNode {
  const [opened, setOpened] = useState(false);
  return (
    <>
      <Button {...buttonProps} onClick={() => setOpened(true)}>
        {label}
      </Button>
      <Confirm
        {...confirmProps}
        opened={opened}
        isPending={change.isPending}
        error={change.error}
        onConfirm={() => change.mutate(undefined, { onSuccess: () => setOpened(false) })}
        onClose={() => {
          setOpened(false);
          change.reset();
        }}
      />
    </>
  );
}

/** The look of a button that deletes the record of the page. */
export const deleteButtonProps = { variant: 'subtle', color: 'red' } as const;
