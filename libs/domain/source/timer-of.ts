// The schedule of a configured source's timer.
import type { Manifest } from '../component/manifest.ts';
import type { TimerSchedule } from '../timer/messages.ts';
import { readSchedule } from '../timer/schedule.ts';

/** Null: the source has no timer, or its timer has no schedule. */
export function timerOf(
  { props: propDefinitions }: Pick<Manifest, 'props'>,
  props: { readonly [name: string]: unknown },
): TimerSchedule | null {
  const prop = propDefinitions.find(({ type }) => type === '$.interface.timer');
  const value = prop === undefined ? undefined : props[prop.name];
  if (value === undefined) return null;
  const result = readSchedule(value as Parameters<typeof readSchedule>[0]);
  return 'schedule' in result ? result.schedule : null;
}
