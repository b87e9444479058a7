// Props of an array type, as `string[]`: every element is checked as its own type is.
import type { Json } from '../../../json.ts';
import { mustBe } from './prop-type.ts';
import type { PropType } from './prop-type.ts';

export function arrayOf(element: PropType): PropType {
  return {
    array: true,
    ...(element.labelled === undefined ? {} : { labelled: element.labelled }),
    check: (value, definition) => {
      if (!Array.isArray(value)) return mustBe('an array', value);
      const values: Json[] = [];
      for (const [index, item] of (value as readonly Json[]).entries()) {
        const checked = element.check(item, definition);
        if ('problem' in checked) return { problem: `at index ${index} ${checked.problem}` };
        values.push(checked.value ?? null);
      }
      return { value: values };
    },
  };
}
