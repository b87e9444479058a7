// Props of type `dir`, a folder in a file store of the hosted service: accepted only if optional, never with a value.
import { mustBe } from './prop-type.ts';
import type { PropType } from './prop-type.ts';

export const dirProp: PropType = {
  check: (value) => mustBe('left out: there is no file store', value),
  checkUnset: () => ({ value: undefined }),
  valueless: true,
};
