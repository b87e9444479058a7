// What the form of a new source needs before it asks the service.
export type Kind = 'code' | 'url' | 'component' | 'channel';

const needed: Readonly<Record<Kind, string | undefined>> = {
  code: 'Write the code',
  url: 'Give the URL of the code',
  component: 'Give a key',
  channel: undefined,
};

/** Undefined: nothing is missing. A key is a part of an address, in which dots alone would mean another one. */
export function missingOf(kind: Kind, text: string): string | undefined {
  const given = text.trim();
  return given === '' || (kind === 'component' && (given === '.' || given === '..')) ? needed[kind] : undefined;
}
