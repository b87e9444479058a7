// Props of type `integer`, within `min` and `max`.
import { mustBe } from './prop-type.ts';
import type { PropType } from './prop-type.ts';

export const integerProp: PropType = {
  labelled: true,
  check: (value, { min, max }) => {
    if (typeof value !== 'number' || !Number.isInteger(value)) return mustBe('an integer', value);
    if (!Number.isSafeInteger(value)) return { problem: 'must be an integer between -(2^53 - 1) and 2^53 - 1' };
    if (min !== undefined && value < min) return { problem: `must be ${min} or more, not ${value}` };
    if (max !== undefined && value > max) return { problem: `must be ${max} or less, not ${value}` };
    return { value };
  },
};
