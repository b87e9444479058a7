// Reports when everything that waited for the log at a moment is on it.
export class WriteTracker {
  /** How many outputs were taken for the log; they reach the log in the same order. */
  #taken = 0;
  #committed = 0;
  readonly #waiting: (() => void)[] = [];
  readonly #awaiting: { readonly after: number; readonly resolve: () => void }[] = [];

  /** Resolves once all that waits now is on the log; never if the process ends first. */
  wait(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** Counts an output; `isComplete`: it has everything that was waiting. */
  noteTaken({ isOutput, isComplete }: { readonly isOutput: boolean; readonly isComplete: boolean }): void {
    if (isOutput) this.#taken++;
    if (!isComplete) return;
    for (const resolve of this.#waiting.splice(0)) this.#awaiting.push({ after: this.#taken, resolve });
    this.#resolveCommitted();
  }

  noteCommitted(): void {
    this.#committed++;
    this.#resolveCommitted();
  }

  #resolveCommitted(): void {
    const firstPending = this.#awaiting.findIndex(({ after }) => after > this.#committed);
    for (const { resolve } of this.#awaiting.splice(0, firstPending === -1 ? Infinity : firstPending)) resolve();
  }
}
