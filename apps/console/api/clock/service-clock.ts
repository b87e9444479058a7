// The time by the clock of the service, which made every time that the console shows; the browser's can be hours off.

/** Answers tell the time to the second, and take a while: a difference below this is none. */
const skewMsMin = 30_000;

let aheadMs = 0;

/** Notes the date of an answer that has just come. */
export function noteServiceDate(date: string | null): void {
  const differenceMs = Date.parse(date ?? '') - Date.now();
  if (!Number.isNaN(differenceMs)) aheadMs = Math.abs(differenceMs) < skewMsMin ? 0 : differenceMs;
}

/** Epoch ms. */
export const serviceNowMs = (): number => Date.now() + aheadMs;
