// A dialog to write JSON that is sent to a source.
import type { ReactNode } from 'react';
import { Button, Group, JsonInput, Modal, Stack } from '@mantine/core';
import type { UseMutationResult } from '@tanstack/react-query';
import { problemOf } from '../../api/problem.ts';
import { useRestoreFocus } from '../../parts/hooks/restore-focus.ts';
import { parseJson } from '../../parts/json/parse-json.ts';
import { ErrorAlert } from '../../parts/error-alert.tsx';

interface JsonDialogProps {
  readonly title: string;
  readonly description: string;
  /** The text of the button. */
  readonly verb: string;
  readonly text: string;
  readonly onChange: (text: string) => void;
  readonly onClose: () => void;
  readonly send: UseMutationResult<unknown, Error, unknown>;
  /** Further fields. */
  readonly children?: ReactNode;
}

export function JsonDialog({
  title,
  description,
  verb,
  text,
  send,
  children,
  ...handlers
}: JsonDialogProps): ReactNode {
  const event = parseJson(text);
  useRestoreFocus();
  return (
    <Modal opened onClose={handlers.onClose} title={title}>
      <Stack>
        {send.isError ? <ErrorAlert message={problemOf(send.error).message} /> : null}
        <JsonInput
          data-autofocus
          label="Event"
          description={description}
          error={event === undefined ? 'This is not JSON.' : null}
          autosize
          minRows={6}
          maxRows={20}
          value={text}
          onChange={handlers.onChange}
        />
        {children}
        <Group justify="flex-end">
          <Button variant="default" onClick={handlers.onClose}>
            Cancel
          </Button>
          <Button disabled={event === undefined} loading={send.isPending} onClick={() => send.mutate(event?.value)}>
            {verb}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
