// Parses how many processes of each app to start: SCALE=runtime=2,delivery=2.

/** In the order in which they start; the gateway is last, so that the requests that it accepts are carried out. */
export const apps = ['lifecycle', 'scheduler', 'runtime', 'delivery', 'projection', 'audit', 'gateway'];
/** More processes on one machine bring nothing. */
const instancesMax = 32;

/** Returns the numbers by app. Throws an Error that says what to enter. */
export function parseScale(text = '') {
  const counts = new Map(apps.map((app) => [app, 1]));
  for (const item of text.split(',').filter((part) => part.trim() !== '')) {
    const [app, count, ...rest] = item.trim().split('=');
    const isCount = /^\d{1,2}$/.test(count ?? '') && Number(count) >= 1 && Number(count) <= instancesMax;
    if (!counts.has(app) || !isCount || rest.length > 0) {
      throw new Error(
        `SCALE is ${JSON.stringify(text)}: give app=count with 1 to ${instancesMax}, separated by commas, ` +
          `such as runtime=2,delivery=2; the apps are ${apps.join(', ')}`,
      );
    }
    counts.set(app, Number(count));
  }
  return counts;
}
