// Props of type `string`. Where the options come from elsewhere, real components also have numbers for values.
import { mustBe } from './prop-type.ts';
import type { PropType } from './prop-type.ts';

export const stringProp: PropType = {
  labelled: true,
  check: (value, { remoteOptions }) =>
    typeof value === 'string' || (typeof value === 'number' && remoteOptions === true)
      ? { value }
      : mustBe('a string', value),
};
