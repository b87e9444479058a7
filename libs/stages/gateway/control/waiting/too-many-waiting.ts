// A bound on what waits in a gateway is reached: nothing was done, and trying again later can help.
export class TooManyWaiting extends Error {
  /** `message` is shown to the client: it says what there is too much of. */
  constructor(message: string) {
    super(message);
    this.name = 'TooManyWaiting';
  }
}
