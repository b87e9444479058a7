// Tells when everything that waited for the log at a moment is on it.
export class Written {
  /** Outputs that were taken for the log, and those that are on it: in the same order. */
  #taken = 0;
  #committed = 0;
  readonly #waiting: (() => void)[] = [];
  readonly #following: { readonly after: number; readonly resolve: () => void }[] = [];

  /** Never resolves when the process ends first. */
  wait(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** `isWhole`: with this output, nothing that waited is left. */
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
