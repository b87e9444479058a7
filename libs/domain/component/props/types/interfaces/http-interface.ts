// Props of type `$.interface.http`: the endpoint is made with the source, so the prop has no value.
import { isJsonObject } from '../../../../json.ts';
import { mustBe } from '../prop-type.ts';
import type { PropType } from '../prop-type.ts';

export const httpInterfaceProp: PropType = {
  /** Clients can send back the `{ endpoint_url }` of an earlier response; it is ignored. */
  check: (value) =>
    isJsonObject(value) ? { value: undefined } : mustBe('left out: its endpoint is made on deploy', value),
  checkUnset: () => ({ value: undefined }),
  valueless: true,
};
