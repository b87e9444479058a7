// Checks what the form of a new source lacks before it is sent to the service.
export type CodeOrigin = 'code' | 'url' | 'component' | 'channel';

const missingMessages: Readonly<Record<CodeOrigin, string | undefined>> = {
  code: 'Write the code',
  url: 'Give the URL of the code',
  component: 'Give a key',
  channel: undefined,
};

/** Undefined: nothing is missing. A key becomes part of a URL path, where `.` or `..` would mean another path. */
export function missingMessageOf(kind: CodeOrigin, text: string): string | undefined {
  const trimmed = text.trim();
  return trimmed === '' || (kind === 'component' && (trimmed === '.' || trimmed === '..'))
    ? missingMessages[kind]
    : undefined;
}
