// What cannot be undone is asked about first, in words that say what will happen.
import type { ReactNode } from 'react';
import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { problemOf } from '../api/problem.ts';

interface ConfirmProps {
  readonly opened: boolean;
  readonly title: string;
  readonly children: ReactNode;
  /** What the button says. */
  readonly verb: string;
  readonly isPending: boolean;
  readonly error?: unknown;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

export function Confirm({ opened, title, children, verb, isPending, error, ...on }: ConfirmProps): ReactNode {
  const failed = error !== null && error !== undefined;
  return (
    <Modal opened={opened} onClose={on.onClose} title={title}>
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
          <Button variant="default" onClick={on.onClose}>
            Cancel
          </Button>
          <Button color="red" loading={isPending} onClick={on.onConfirm}>
            {verb}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
