// Props of type `string`. With remote options, real components also have numbers as values.
import { mustBe } from './prop-type.ts';
import type { PropType } from './prop-type.ts';

export const stringProp: PropType = {
  labelled: true,
  check: (value, { remoteOptions }) =>
    typeof value === 'string' || (typeof value === 'number' && remoteOptions === true)
      ? { value }
      : mustBe('a string', value),
};
