// Finds faults for which text from outside is refused, both in names and in values.

/** In careless programs this name modifies prototypes. */
export const refusedName = '__proto__';

/** What is wrong, as a clause to follow the name of the text's place; undefined: nothing. */
export function textFault(text: string): string | undefined {
  if (text.includes('\0')) return 'holds the character NUL';
  return text.isWellFormed() ? undefined : 'is not well-formed Unicode';
}

/** No name in the API is longer. */
const nameShownChars = 100;

/** A name, shortened and well-formed, that a message can repeat. */
export const shortName = (name: string): string => name.slice(0, nameShownChars).toWellFormed();
