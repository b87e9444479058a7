// Checks what the form of a new source lacks before it is sent to the service.
export type Kind = 'code' | 'url' | 'component' | 'channel';

const needed: Readonly<Record<Kind, string | undefined>> = {
  code: 'Write the code',
  url: 'Give the URL of the code',
  component: 'Give a key',
  channel: undefined,
};

/** Undefined: nothing is missing. A key becomes part of a URL path, where `.` or `..` would mean another path. */
export function missingOf(kind: Kind, text: string): string | undefined {
  const given = text.trim();
  return given === '' || (kind === 'component' && (given === '.' || given === '..')) ? needed[kind] : undefined;
}
