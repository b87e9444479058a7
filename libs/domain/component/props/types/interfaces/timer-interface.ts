// Props of type `$.interface.timer`: a schedule that the user configures, or that is the component's default or fixed.
import { isSameSchedule, readSchedule } from '../../../../timer/schedule.ts';
import type { Json } from '../../../../json.ts';
import type { CheckResult, PropType } from '../prop-type.ts';

export const timerInterfaceProp: PropType = {
  check: (value, { static: fixed }) => (fixed === undefined ? checkSchedule(value) : checkFixed(value, fixed)),
  checkUnset: ({ static: fixed, default: fallback = null, optional }) => {
    if (fixed !== undefined) return checkSchedule(fixed);
    if (fallback !== null) return checkSchedule(fallback);
    return optional === true ? { value: undefined } : { problem: 'is required: { "intervalSeconds": 60 }, or a cron' };
  },
};

function checkSchedule(value: Json): CheckResult {
  const read = readSchedule(value);
  return 'problem' in read ? read : { value: { ...read.schedule } };
}

/** Accepts the fixed schedule itself, because clients can send back what the API showed them. */
function checkFixed(value: Json, fixed: Json): CheckResult {
  const [configured, fixedSchedule] = [readSchedule(value), readSchedule(fixed)];
  if ('problem' in fixedSchedule) return fixedSchedule;
  const isSame = 'schedule' in configured && isSameSchedule(configured.schedule, fixedSchedule.schedule);
  return isSame ? { value: { ...fixedSchedule.schedule } } : { problem: 'is fixed by the component: leave it out' };
}
