// The exit codes of commands, and the failures that end a command with a message.

/** docs/cli.md, "Exit codes". */
export const exitCodes = { done: 0, failed: 1, usage: 2, unauthorized: 3, notFound: 4, interrupted: 130 } as const;

export const exitCodeMeanings: Readonly<Record<keyof typeof exitCodes, string>> = {
  done: 'done',
  failed:
    'it failed: the service refused it or did not answer, the run or the attempt failed, the endpoint answered 400 ' +
    'or more, the replay was cancelled, or a check found something wrong',
  usage: 'a wrong command, option or argument; nothing was done',
  unauthorized: 'there is no API key, or it is not valid',
  notFound: 'what was named does not exist',
  interrupted: 'ended by Ctrl-C, or by Ctrl-D or Escape at a question',
};

/** With --json: the `code` of failures that the service did not report itself. */
export const failureCodes: Readonly<Record<number, string>> = {
  [exitCodes.failed]: 'failed',
  [exitCodes.usage]: 'usage',
  [exitCodes.unauthorized]: 'unauthorized',
  [exitCodes.notFound]: 'not_found',
};

export class Failure extends Error {
  readonly exitCode: number;
  /** What to do about it. */
  readonly hint: string | undefined;

  constructor(message: string, exitCode: number = exitCodes.failed, hint?: string) {
    super(message);
    this.name = 'Failure';
    this.exitCode = exitCode;
    this.hint = hint;
  }
}

export const usageFailure = (message: string, hint?: string): Failure => new Failure(message, exitCodes.usage, hint);

/** Thrown after Ctrl-C at a prompt or while following. */
export class Interrupted extends Error {
  constructor() {
    super('interrupted');
    this.name = 'Interrupted';
  }
}
