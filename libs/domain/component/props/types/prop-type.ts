// A prop type: which values it accepts, and in which form they are kept.
import type { Json } from '../../../json.ts';
import type { PropDefinition } from '../../manifest.ts';

/** `value` undefined: the prop has none to keep. `problem` reads on from the prop's name: "must be a string, not a number". */
export type Checked = { readonly value: Json | undefined } | { readonly problem: string };

export interface PropType {
  /** Checks a given value, which is not null. */
  readonly check: (value: Json, definition: PropDefinition) => Checked;
  /** The value when none was given; absent: the default, or nothing when optional. */
  readonly unset?: (definition: PropDefinition) => Checked;
  /** Nobody gives it a value: at an update, what a prop of the same name had is dropped. */
  readonly valueless?: boolean;
  /** Whether a value may come with its label, as `{ label, value }`. */
  readonly labelled?: boolean;
  readonly array?: boolean;
  /** Its values are kept encrypted, as those of a secret prop are. */
  readonly sealed?: boolean;
  /** What of a sealed value is to be masked; absent: every text in it. */
  readonly secretsIn?: (value: Json) => readonly string[];
}

/** What a message calls a value: never the value itself, which may be a secret. */
export function found(value: Json): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'an integer' : 'a number';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

export const mustBe = (expected: string, value: Json): Checked => ({
  problem: `must be ${expected}, not ${found(value)}`,
});
