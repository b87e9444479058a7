// Runs one check at a time: all callers that arrive during a check share the next one, so a flood of calls is cheap.

export class CoalescedCheck {
  readonly #check: () => Promise<boolean>;
  #running: Promise<boolean> | undefined;
  #next: Promise<boolean> | undefined;

  constructor(check: () => Promise<boolean>) {
    this.#check = check;
  }

  /** The result of a check that began after this call. */
  run(): Promise<boolean> {
    if (this.#running === undefined) return this.#begin();
    this.#next ??= this.#running.then(
      () => this.#begin(),
      () => this.#begin(),
    );
    return this.#next;
  }

  #begin(): Promise<boolean> {
    this.#next = undefined;
    const running = this.#check().finally(() => {
      if (this.#running === running) this.#running = undefined;
    });
    this.#running = running;
    return running;
  }
}
