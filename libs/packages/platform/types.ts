// @pipedream/types: functions that give typed code its types, and at run time hand back what they get.

const same = <T>(component: T): T => component;

export const defineApp = same;
export const defineAction = same;
export const defineSource = same;
export const defineComponent = same;
