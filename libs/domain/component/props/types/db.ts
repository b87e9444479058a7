// Props of type `$.service.db`: every source has its store, so the prop has no value.
import { isJsonObject } from '../../../json.ts';
import { mustBe } from './prop-type.ts';
import type { PropType } from './prop-type.ts';

export const dbProp: PropType = {
  check: (value) =>
    isJsonObject(value) && Object.keys(value).length === 0
      ? { value: undefined }
      : mustBe('left out: the store comes with the source', value),
  checkUnset: () => ({ value: undefined }),
  valueless: true,
};
