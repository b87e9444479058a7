// Props of type `$.interface.timer`: a schedule that the user configures, or that is the component's default or fixed.
import { isSameSchedule, readSchedule } from '../../../../timer/schedule.ts';
import type { Json } from '../../../../json.ts';
import type { Checked, PropType } from '../prop-type.ts';

export const timerInterfaceProp: PropType = {
  check: (value, { static: fixed }) => (fixed === undefined ? checked(value) : asFixed(value, fixed)),
  unset: ({ static: fixed, default: fallback = null, optional }) => {
    if (fixed !== undefined) return checked(fixed);
    if (fallback !== null) return checked(fallback);
    return optional === true ? { value: undefined } : { problem: 'is required: { "intervalSeconds": 60 }, or a cron' };
  },
};

function checked(value: Json): Checked {
  const read = readSchedule(value);
  return 'problem' in read ? read : { value: { ...read.schedule } };
}

/** Accepts the fixed schedule itself, because clients can send back what the API showed them. */
function asFixed(value: Json, fixed: Json): Checked {
  const [given, own] = [readSchedule(value), readSchedule(fixed)];
  if ('problem' in own) return own;
  const isSame = 'schedule' in given && isSameSchedule(given.schedule, own.schedule);
  return isSame ? { value: { ...own.schedule } } : { problem: 'is fixed by the component: leave it out' };
}
