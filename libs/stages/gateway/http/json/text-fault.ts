// What no text from outside may hold, whether it is a name or a value, and wherever it stands.

/** It reaches prototypes in programs that are less careful. */
export const refusedName = '__proto__';

/** What is wrong, as a clause that reads on from the text's place; undefined when nothing is. */
export function textFault(text: string): string | undefined {
  if (text.includes('\0')) return 'holds the character NUL';
  return text.isWellFormed() ? undefined : 'is not well-formed Unicode';
}

/** None of ours is longer. */
const nameShownChars = 100;

/** As a message may repeat it. */
export const shortName = (name: string): string => name.slice(0, nameShownChars).toWellFormed();
