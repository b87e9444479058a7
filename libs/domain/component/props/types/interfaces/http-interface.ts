// Props of type `$.interface.http`: the endpoint comes with the source, so there is no value to keep.
import { isJsonObject } from '../../../../json.ts';
import { mustBe } from '../prop-type.ts';
import type { PropType } from '../prop-type.ts';

export const httpInterfaceProp: PropType = {
  /** Clients send back the `{ endpoint_url }` of an earlier answer: it changes nothing. */
  check: (value) =>
    isJsonObject(value) ? { value: undefined } : mustBe('left out: its endpoint is made on deploy', value),
  unset: () => ({ value: undefined }),
  valueless: true,
};
