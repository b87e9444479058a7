// Props of type `any`.
import type { PropType } from './prop-type.ts';

export const anyProp: PropType = { check: (value) => ({ value }) };
