// Props of type `object`.
import { isJsonObject } from '../../../json.ts';
import { mustBe } from './prop-type.ts';
import type { PropType } from './prop-type.ts';

export const objectProp: PropType = {
  check: (value) => (isJsonObject(value) ? { value } : mustBe('an object', value)),
};
