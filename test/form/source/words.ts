// Finds words that the table "Words" in CONTRIBUTING.md replaces, in comments, messages and documents.

/** Code spans and addresses, which contain names of programs. */
const codeInText = /`[^`]*`|\]\([^)]*\)|https?:\/\/\S+/g;

/** The comments of a source file, and its string literals with a space, which are prose rather than names. */
export function proseOfSource(source: string): string {
  const comments = source.match(/(?<=^|\s)\/\/ .*|\/\*[\s\S]*?\*\//gm) ?? [];
  const code = source.replace(/(?<=^|\s)\/\/ .*|\/\*[\s\S]*?\*\//gm, '');
  const texts = code.match(/'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"/g) ?? [];
  const built = [...code.matchAll(/`((?:[^`\\\n]|\\.)*)`/g)].map(([, text = '']) => text.replace(/\$\{[^{}]*\}/g, ''));
  const prose = [...comments, ...texts.filter((text) => text.includes(' '))].join('\n').replace(codeInText, '');
  return [prose, ...built.filter((text) => text.includes(' '))].join('\n');
}

/** A document without its code. */
export function proseOfDocument(text: string): string {
  return text.replace(/^```[\s\S]*?^```/gm, '').replace(codeInText, '');
}

/** Each replaced word that occurs, singular or plural, once. */
export function wordsIn(prose: string, words: readonly string[]): readonly string[] {
  return words.filter((word) => new RegExp(`(?<![\\w$.-])${word}(?:e?s)?(?![\\w-])`, 'i').test(prose));
}

export interface Word {
  readonly word: string;
  /** The words that it replaces. */
  readonly instead: readonly string[];
}

/** The rows of the table "Words": the word, its meaning, and the words that it replaces. */
export function wordsOf(page: string): readonly Word[] {
  const section = page.split('\n## Words\n')[1]?.split('\n## ')[0] ?? '';
  const rows = section.matchAll(/^\| _(.+?)_ +\| .+? \| (.*?) +\|$/gm);
  return [...rows].map(([, word = '', instead = '']) => ({
    word,
    instead: instead.split(', ').filter((one) => one !== ''),
  }));
}
