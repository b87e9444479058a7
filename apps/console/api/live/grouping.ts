// Hands over records in groups, so that a page that shows hundreds a second draws a few times a second.

/** Four times a second is soon enough to read, and leaves most of the time to what the user does. */
const intervalMs = 250;
/** A page in the background has no such intervals, and a group must not grow meanwhile. */
const recordsMax = 500;

export interface Groups {
  readonly add: (text: string) => void;
  /** What was not handed over by then is dropped. */
  readonly end: () => void;
}

/** The first record after a pause is handed over at once. */
export function startGroups(onRecords: (texts: readonly string[]) => void): Groups {
  let waiting: string[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  const handOver = (): void => {
    clearTimeout(timer);
    timer = waiting.length === 0 ? undefined : setTimeout(handOver, intervalMs);
    if (waiting.length === 0) return;
    const texts = waiting;
    waiting = [];
    onRecords(texts);
  };
  return {
    add: (text) => {
      waiting.push(text);
      if (timer === undefined || waiting.length >= recordsMax) handOver();
    },
    end: () => clearTimeout(timer),
  };
}
