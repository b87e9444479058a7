// The error of a component that has been configured wrongly: its message is for whoever configures it.

export class ConfigurationError extends Error {
  readonly exposeStack: boolean;

  /** Where the code found out does not help anyone who has to correct a prop: without `exposeStack` it is left out. */
  constructor(message?: string, exposeStack = false) {
    super(message);
    this.name = 'ConfigurationError';
    this.exposeStack = exposeStack;
    if (!exposeStack) this.stack = `${this.name}: ${this.message}`;
  }
}
