// Props of type `$.interface.timer`: an interval in seconds or a cron expression, kept as components read it.
import type { Json } from '../../../json.ts';
import { isObject, mustBe } from './prop-type.ts';
import type { Checked, PropType } from './prop-type.ts';

const expected = '{ intervalSeconds: <seconds> } or { cron: <expression> }';
const names: ReadonlySet<string> = new Set(['intervalSeconds', 'interval_seconds', 'cron', 'timezone']);
/** Five fields, or six with seconds; what is in them is for the scheduler to judge. */
const cronExpression = /^\s*[\w*/,\-?#]+(\s+[\w*/,\-?#]+){4,5}\s*$/;

export const timerInterfaceProp: PropType = {
  check: (value, { static: fixed }) => {
    const schedule = scheduleOf(value);
    if (fixed === undefined || 'problem' in schedule) return schedule;
    const own = scheduleOf(fixed);
    if (JSON.stringify(own) === JSON.stringify(schedule)) return own;
    return { problem: 'is set by the component and cannot be changed' };
  },
  unset: (definition) => {
    const own = definition.static ?? definition.default ?? null;
    if (own !== null) return scheduleOf(own);
    return definition.optional === true ? { value: undefined } : { problem: `is required: ${expected}` };
  },
};

/** Takes the names of component code and those of REST answers (`{ cron: null, interval_seconds: 60 }`). */
function scheduleOf(value: Json): Checked {
  if (!isObject(value)) return mustBe(expected, value);
  const unknown = Object.keys(value).find((name) => !names.has(name));
  if (unknown !== undefined) return { problem: `must be ${expected}, without ${JSON.stringify(unknown)}` };
  const seconds = value['intervalSeconds'] ?? value['interval_seconds'] ?? null;
  const cron = value['cron'] ?? null;
  if ((seconds === null) === (cron === null)) return { problem: `must be either ${expected}` };
  return cron === null ? intervalOf(seconds) : cronOf(cron, value['timezone'] ?? null);
}

function intervalOf(seconds: Json): Checked {
  if (typeof seconds === 'number' && Number.isSafeInteger(seconds) && seconds > 0) {
    return { value: { intervalSeconds: seconds } };
  }
  return { problem: 'must have intervalSeconds as an integer of 1 or more' };
}

function cronOf(cron: Json, timezone: Json): Checked {
  if (typeof cron !== 'string' || !cronExpression.test(cron)) {
    return { problem: 'must have cron as an expression of five fields, as in "*/5 * * * *"' };
  }
  if (timezone === null) return { value: { cron } };
  return typeof timezone === 'string' ? { value: { cron, timezone } } : { problem: 'must have timezone as a string' };
}
