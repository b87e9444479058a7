// The path of a value in an event, as in code: event.items[0]["first name"]. Also names and texts for display.

export type Step = string | number;

const identifier = /^[A-Za-z_$][\w$]*$/;

export function pathText(steps: readonly Step[]): string {
  return `event${steps.map((step) => stepText(step)).join('')}`;
}

function stepText(step: Step): string {
  if (typeof step === 'number') return `[${step}]`;
  return identifier.test(step) ? `.${step}` : `[${JSON.stringify(step)}]`;
}

/** Longest name that is shown or read aloud, in UTF-16 units. */
const nameUnitsMax = 120;
/** Steps that are shown from the end of a path. */
const shownStepsMax = 12;

/** A name for display, cut because a key can be as long as an event. */
export const displayName = (name: Step): string => {
  const text = String(name);
  return escapeMarks(text.length <= nameUnitsMax ? text : `${text.slice(0, nameUnitsMax).toWellFormed()}…`);
};

/** Control characters, and marks that reverse the direction of text: `JSON.stringify` does not escape them. */
const directionMarks = /[\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

const escapeMarks = (text: string): string =>
  text.replaceAll(directionMarks, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** A text for display, as JSON in which no character can change the order of the others. */
export const displayText = (text: string): string => escapeMarks(JSON.stringify(text));

/** The path of a value for display; a long one without its beginning. */
export function pathLabel(steps: readonly Step[]): string {
  const last = steps.slice(-shownStepsMax).map((step) => (typeof step === 'number' ? step : displayName(step)));
  const text = pathText(last);
  return last.length === steps.length ? text : `…${text.slice('event'.length)}`;
}

/** The members of an array or object in their order; empty for any other value. */
export function membersOf(value: unknown): readonly (readonly [Step, unknown])[] {
  if (Array.isArray(value)) return value.map((member, index) => [index, member] as const);
  return typeof value === 'object' && value !== null ? Object.entries(value) : [];
}

/** What is shown instead of a folded value. */
export function foldedText(value: unknown): string {
  const size = membersOf(value).length;
  return Array.isArray(value) ? `[ ${size} ]` : `{ ${size} }`;
}
