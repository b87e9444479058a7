// Props of type `boolean`.
import { mustBe } from './prop-type.ts';
import type { PropType } from './prop-type.ts';

export const booleanProp: PropType = {
  labelled: true,
  check: (value) => (typeof value === 'boolean' ? { value } : mustBe('true or false', value)),
};
