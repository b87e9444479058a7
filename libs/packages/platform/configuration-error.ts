// The error for a wrong configuration of a component, with a message for the user who configures it.

export class ConfigurationError extends Error {
  readonly exposeStack: boolean;

  /** Without `exposeStack` the stack is left out, because it does not help a user who has to correct a prop. */
  constructor(message?: string, exposeStack = false) {
    super(message);
    this.name = 'ConfigurationError';
    this.exposeStack = exposeStack;
    if (!exposeStack) this.stack = `${this.name}: ${this.message}`;
  }
}
