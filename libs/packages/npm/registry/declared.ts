// What the text of a component's file says of it. The file is only read: a component is run when it is described.
import type { PackagedComponent } from '../../packages.ts';

type Declared = Omit<PackagedComponent, 'path'>;

/** Of a value that is longer, nothing is told. */
const valueCharsMax = 2_000;
/** The fields that name a component stand near its key; a prop may have fields of the same names further down. */
const besideChars = 3_000;

/** `key: "text"`, with any quotes. */
const field = (name: string): RegExp =>
  new RegExp(
    `(?:^|[\\s{,])["']?${name}["']?\\s*:\\s*(?:"([^"\\n]{1,${valueCharsMax}})"|'([^'\\n]{1,${valueCharsMax}})'|\`([^\`]{1,${valueCharsMax}})\`)`,
  );

const fields = { key: field('key'), type: field('type'), name: field('name'), description: field('description') };

/** `app-what-it-does`: small letters and digits. Keys of something else, such as of a header, have no such form. */
const isKey = (text: string): boolean => /^[a-z0-9_.]+(?:-[a-z0-9_.]+)+$/.test(text);

/** Undefined: it has no key, and is no component. */
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
