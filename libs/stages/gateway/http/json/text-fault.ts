// Faults for which text from outside is refused, in names and values alike.

/** In careless programs this name changes prototypes. */
export const refusedName = '__proto__';

/** What is wrong, as a clause that follows the name of the text's place; undefined: nothing. */
export function textFault(text: string): string | undefined {
  if (text.includes('\0')) return 'holds the character NUL';
  return text.isWellFormed() ? undefined : 'is not well-formed Unicode';
}

/** No name in the API is longer. */
const nameShownChars = 100;

/** A name in the form that a message may repeat. */
export const shortName = (name: string): string => name.slice(0, nameShownChars).toWellFormed();
