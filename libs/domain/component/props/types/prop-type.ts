// The interface of a prop type: which values it accepts, and in which form they are kept.
import type { Json } from '../../../json.ts';
import type { PropDefinition } from '../../manifest.ts';

/** `value` undefined: there is none to keep. `problem` continues the prop's name: "must be a string, not a number". */
export type CheckResult = { readonly value: Json | undefined } | { readonly problem: string };

export interface PropType {
  /** Checks a given value, which is not null. */
  readonly check: (value: Json, definition: PropDefinition) => CheckResult;
  /** The value if none was given; without this function it is the default, or none if the prop is optional. */
  readonly checkUnset?: (definition: PropDefinition) => CheckResult;
  /** It never has a value: an update drops the value that an earlier prop of the same name had. */
  readonly valueless?: boolean;
  /** Whether a value can have a label, as `{ label, value }`. */
  readonly labelled?: boolean;
  readonly array?: boolean;
  /** Its values are kept encrypted, as those of a secret prop are. */
  readonly sealed?: boolean;
  /** The parts of a sealed value that are masked in output; without this function every text in it is. */
  readonly secretsIn?: (value: Json) => readonly string[];
}

/** The kind of a value, for messages, which never quote the value: it might be a secret. */
export function kindOfValue(value: Json): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'an integer' : 'a number';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

export const mustBe = (expected: string, value: Json): CheckResult => ({
  problem: `must be ${expected}, not ${kindOfValue(value)}`,
});
