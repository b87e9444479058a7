// Leads to the first field that is not right: in a long form it may be out of sight.

/** By then the fields are drawn with what is wrong with them. */
const drawnMs = 50;

export function showFirstProblem(): void {
  setTimeout(() => document.querySelector<HTMLElement>('main [aria-invalid="true"]')?.focus(), drawnMs);
}
