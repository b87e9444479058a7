// Props of type `data_store`: they name a data store of the workspace by its id.
import { isId } from '../../../id.ts';
import { mustBe } from './prop-type.ts';
import type { PropType } from './prop-type.ts';

const expected = 'the id of a data store, "ds_..."';

export const dataStoreProp: PropType = {
  check: (value) => {
    if (typeof value !== 'string') return mustBe(expected, value);
    return isId('ds', value) ? { value } : { problem: `must be ${expected}` };
  },
};
