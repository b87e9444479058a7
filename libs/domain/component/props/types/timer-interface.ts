// Props of type `$.interface.timer`: nothing fires timers yet, and a source that waits for one would wait for ever.
import type { Checked, PropType } from './prop-type.ts';

const noTimers: Checked = { problem: 'is a timer, and timers are not supported yet' };

export const timerInterfaceProp: PropType = {
  check: () => noTimers,
  unset: ({ optional }) => (optional === true ? { value: undefined } : noTimers),
};
