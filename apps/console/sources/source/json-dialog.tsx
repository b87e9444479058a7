// A dialog to write JSON that is sent to a source.
import type { ReactNode } from 'react';
import { Button, Group, JsonInput, Modal, Stack } from '@mantine/core';
import type { UseMutationResult } from '@tanstack/react-query';
import { problemOf } from '../../api/problem.ts';
import { useFocusBack } from '../../parts/hooks/focus-back.ts';
import { parsedJson } from '../../parts/json/parsed-json.ts';
import { Refused } from '../../parts/refused.tsx';

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

export function JsonDialog({ title, description, verb, text, send, children, ...on }: JsonDialogProps): ReactNode {
  const event = parsedJson(text);
  useFocusBack();
  return (
    <Modal opened onClose={on.onClose} title={title}>
      <Stack>
        {send.isError ? <Refused message={problemOf(send.error).message} /> : null}
        <JsonInput
          data-autofocus
          label="Event"
          description={description}
          error={event === undefined ? 'This is not JSON.' : null}
          autosize
          minRows={6}
          maxRows={20}
          value={text}
          onChange={on.onChange}
        />
        {children}
        <Group justify="flex-end">
          <Button variant="default" onClick={on.onClose}>
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
