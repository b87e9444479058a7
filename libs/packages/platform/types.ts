// @pipedream/types: functions that only add types, and at run time return their argument.

const same = <T>(component: T): T => component;

export const defineApp = same;
export const defineAction = same;
export const defineSource = same;
export const defineComponent = same;
