// Shows times that advance while they are shown, with one timer for all of them.
import { useSyncExternalStore } from 'react';
import { serviceNowMs } from '../api/clock/service-clock.ts';
import { formatExactTime, formatRelativeTime } from './format.ts';

const tickMs = 1_000;
const listeners = new Set<() => void>();
let nowMs = serviceNowMs();
let timer: ReturnType<typeof setInterval> | undefined;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(tick, tickMs);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

function tick(): void {
  nowMs = serviceNowMs();
  for (const listener of listeners) listener();
}

/** Rendered again only when its text changes. */
export function Ago({ ms }: { readonly ms: number | null | undefined }): React.ReactNode {
  const text = useSyncExternalStore(subscribe, () =>
    typeof ms === 'number' ? formatRelativeTime(ms, Math.max(nowMs, 0)) : '–',
  );
  if (typeof ms !== 'number') return <span className="dim">–</span>;
  return (
    <time dateTime={new Date(ms).toISOString()} title={formatExactTime(ms)}>
      {text}
    </time>
  );
}
