// Props of type `object`.
import { isObject, mustBe } from './prop-type.ts';
import type { PropType } from './prop-type.ts';

export const objectProp: PropType = {
  check: (value) => (isObject(value) ? { value } : mustBe('an object', value)),
};
