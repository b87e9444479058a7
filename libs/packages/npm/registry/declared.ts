// Reads a component's key and description from the text of its file, without running it.
import type { PackagedComponent } from '../../packages.ts';

type Declared = Omit<PackagedComponent, 'path'>;

/** A longer value is ignored. */
const valueCharsMax = 2_000;
/** A component's name and description are near its key; a prop can have fields of the same names further down. */
const besideChars = 3_000;

/** Matches `name: "text"`, with any quotes. */
const field = (name: string): RegExp =>
  new RegExp(
    `(?:^|[\\s{,])["']?${name}["']?\\s*:\\s*(?:"([^"\\n]{1,${valueCharsMax}})"|'([^'\\n]{1,${valueCharsMax}})'|\`([^\`]{1,${valueCharsMax}})\`)`,
  );

const fields = { key: field('key'), type: field('type'), name: field('name'), description: field('description') };

/** Whether a key has the form `app-what-it-does`, of small letters and digits; others, such as of a header, do not. */
const isKey = (text: string): boolean => /^[a-z0-9_.]+(?:-[a-z0-9_.]+)+$/.test(text);

/** Undefined: the file has no key, and so is no component. */
export function declaredIn(text: string): Declared | undefined {
  const found = fields.key.exec(text);
  const key = valueOf(found);
  if (found === null || key === undefined || !isKey(key)) return undefined;
  const beside = text.slice(Math.max(0, found.index - besideChars), found.index + besideChars);
  const told = (name: keyof typeof fields): string | undefined => valueOf(fields[name].exec(beside));
  return {
    key,
    type: /["'`]?\btype["'`]?\s*:\s*["'`]action["'`]/.test(beside) ? 'action' : 'source',
    name: told('name') ?? key,
    description: told('description') ?? '',
  };
}

const valueOf = (found: RegExpExecArray | null): string | undefined => found?.[1] ?? found?.[2] ?? found?.[3];
