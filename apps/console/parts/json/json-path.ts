// Where a value stands in an event, as code would name it: event.items[0]["first name"].

export type Step = string | number;

const identifier = /^[A-Za-z_$][\w$]*$/;

export function pathText(steps: readonly Step[]): string {
  return `event${steps.map((step) => stepText(step)).join('')}`;
}

function stepText(step: Step): string {
  if (typeof step === 'number') return `[${step}]`;
  return identifier.test(step) ? `.${step}` : `[${JSON.stringify(step)}]`;
}

/** Of a name that is shown, or said aloud. */
const namedUnits = 120;
/** Of the end of a path. */
const namedSteps = 12;

/** A name as it is shown: keys may be as long as an event. */
export const shownName = (name: Step): string => {
  const text = String(name);
  return plain(text.length <= namedUnits ? text : `${text.slice(0, namedUnits).toWellFormed()}…`);
};

/** Controls, and the marks that reverse the direction of what follows: `JSON.stringify` leaves them as they are. */
const steering = /[\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

const plain = (text: string): string =>
  text.replaceAll(steering, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** A text as it is shown: JSON in which every character stands where it was written. */
export const shownText = (text: string): string => plain(JSON.stringify(text));

/** What a place is called: its path, without the beginning of a long one. */
export function placeName(steps: readonly Step[]): string {
  const last = steps.slice(-namedSteps).map((step) => (typeof step === 'number' ? step : shownName(step)));
  const text = pathText(last);
  return last.length === steps.length ? text : `…${text.slice('event'.length)}`;
}

/** The members of a value, in their order; none for what has no members. */
export function membersOf(value: unknown): readonly (readonly [Step, unknown])[] {
  if (Array.isArray(value)) return value.map((member, index) => [index, member] as const);
  return typeof value === 'object' && value !== null ? Object.entries(value) : [];
}

/** What stands in place of a value that is folded. */
export function folded(value: unknown): string {
  const size = membersOf(value).length;
  return Array.isArray(value) ? `[ ${size} ]` : `{ ${size} }`;
}
