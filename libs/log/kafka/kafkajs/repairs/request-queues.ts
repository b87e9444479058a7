// Stops the timers that kafkajs sets on idle connections.
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

interface RequestQueue {
  readonly throttledUntil: number;
  readonly pending: readonly unknown[];
  throttleCheckTimeoutId: NodeJS.Timeout | null;
  checkPendingRequests(): void;
}

const pendingCheckMs = 10;

/**
 * kafkajs sets a timer with a negative time on every idle connection, over and over (its pull request 1751): Node 24
 * warns at each, and each costs a turn of the event loop every millisecond. Our version sets none while nothing is
 * pending or throttled.
 */
export function stopIdleTimers(): void {
  const { prototype } = require('kafkajs/src/network/requestQueue') as {
    prototype: { scheduleCheckPendingRequests(this: RequestQueue): void };
  };
  prototype.scheduleCheckPendingRequests = function (this: RequestQueue): void {
    const waitMs = this.throttledUntil - Date.now();
    if (this.throttleCheckTimeoutId !== null || (this.pending.length === 0 && waitMs <= 0)) return;
    this.throttleCheckTimeoutId = setTimeout(
      () => {
        this.throttleCheckTimeoutId = null;
        this.checkPendingRequests();
      },
      waitMs > 0 ? waitMs : pendingCheckMs,
    );
  };
}
