// Moves to the first invalid field, which can be out of sight in a long form.

/** By then the fields are rendered with their errors. */
const drawnMs = 50;

export function showFirstProblem(): void {
  setTimeout(() => document.querySelector<HTMLElement>('main [aria-invalid="true"]')?.focus(), drawnMs);
}
