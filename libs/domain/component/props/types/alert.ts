// Props of type `alert`: text for the person who fills in the form, never a value.
import { mustBe } from './prop-type.ts';
import type { PropType } from './prop-type.ts';

export const alertProp: PropType = {
  check: (value) => mustBe('left out: it only shows text', value),
  checkUnset: () => ({ value: undefined }),
  valueless: true,
};
