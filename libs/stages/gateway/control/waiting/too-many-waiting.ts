// The error when too much waits in a gateway: nothing was done, and trying again later can help.
export class TooManyWaiting extends Error {
  /** `message` is shown to the client and names what there is too much of. */
  constructor(message: string) {
    super(message);
    this.name = 'TooManyWaiting';
  }
}
