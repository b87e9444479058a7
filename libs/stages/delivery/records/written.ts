// Reports when everything that waited for the log at a moment is on it.
export class Written {
  /** How many outputs were taken for the log; they reach the log in the same order. */
  #taken = 0;
  #committed = 0;
  readonly #waiting: (() => void)[] = [];
  readonly #following: { readonly after: number; readonly resolve: () => void }[] = [];

  /** Resolves once all that waits now is on the log; never if the process ends first. */
  wait(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** Counts an output; `isWhole`: it has everything that was waiting. */
  took({ isOutput, isWhole }: { readonly isOutput: boolean; readonly isWhole: boolean }): void {
    if (isOutput) this.#taken++;
    if (!isWhole) return;
    for (const resolve of this.#waiting.splice(0)) this.#following.push({ after: this.#taken, resolve });
    this.#settle();
  }

  committed(): void {
    this.#committed++;
    this.#settle();
  }

  #settle(): void {
    const left = this.#following.findIndex(({ after }) => after > this.#committed);
    for (const { resolve } of this.#following.splice(0, left === -1 ? Infinity : left)) resolve();
  }
}
