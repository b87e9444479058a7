// Reads a component's key and description from the text of its file, without running it.
import type { PackagedComponent } from '../../packages.ts';

type Declaration = Omit<PackagedComponent, 'path'>;

/** A longer value is ignored. */
const valueCharsMax = 2_000;
/** A component's name and description are near its key; a prop can have fields of the same names further down. */
const surroundingChars = 3_000;

/** Matches `name: "text"`, with any quotes. */
const field = (name: string): RegExp =>
  new RegExp(
    `(?:^|[\\s{,])["']?${name}["']?\\s*:\\s*(?:"([^"\\n]{1,${valueCharsMax}})"|'([^'\\n]{1,${valueCharsMax}})'|\`([^\`]{1,${valueCharsMax}})\`)`,
  );

const fields = { key: field('key'), type: field('type'), name: field('name'), description: field('description') };

/** Whether a key has the form `app-what-it-does`, of small letters and digits; others, such as of a header, do not. */
const isKey = (text: string): boolean => /^[a-z0-9_.]+(?:-[a-z0-9_.]+)+$/.test(text);

/** Undefined: the file has no key, and so is no component. */
export function readDeclaration(text: string): Declaration | undefined {
  const found = fields.key.exec(text);
  const key = valueOf(found);
  if (found === null || key === undefined || !isKey(key)) return undefined;
  const surrounding = text.slice(Math.max(0, found.index - surroundingChars), found.index + surroundingChars);
  const valueFor = (name: keyof typeof fields): string | undefined => valueOf(fields[name].exec(surrounding));
  return {
    key,
    type: /["'`]?\btype["'`]?\s*:\s*["'`]action["'`]/.test(surrounding) ? 'action' : 'source',
    name: valueFor('name') ?? key,
    description: valueFor('description') ?? '',
  };
}

const valueOf = (found: RegExpExecArray | null): string | undefined => found?.[1] ?? found?.[2] ?? found?.[3];
