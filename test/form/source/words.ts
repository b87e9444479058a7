// Finds words that the table "Words" in CONTRIBUTING.md replaces, in comments, messages and documents.

/** Code spans and addresses hold names as programs know them. */
const codeInText = /`[^`]*`|\]\([^)]*\)|https?:\/\/\S+/g;

/** The comments of a source file, and its texts that are words rather than names: they have a space in them. */
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
  /** What is not said for it. */
  readonly instead: readonly string[];
}

/** The rows of the table "Words": the word, what it means, what is not said for it. */
export function wordsOf(page: string): readonly Word[] {
  const section = page.split('\n## Words\n')[1]?.split('\n## ')[0] ?? '';
  const rows = section.matchAll(/^\| _(.+?)_ +\| .+? \| (.*?) +\|$/gm);
  return [...rows].map(([, word = '', instead = '']) => ({
    word,
    instead: instead.split(', ').filter((one) => one !== ''),
  }));
}
