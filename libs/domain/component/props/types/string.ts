// Props of type `string`.
import { mustBe } from './prop-type.ts';
import type { PropType } from './prop-type.ts';

export const stringProp: PropType = {
  labelled: true,
  check: (value) => (typeof value === 'string' ? { value } : mustBe('a string', value)),
};
