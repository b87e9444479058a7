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
