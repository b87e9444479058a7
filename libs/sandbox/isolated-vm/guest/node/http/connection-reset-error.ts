// Node's error for a connection that ended too early.

export const connectionResetError = (message: string): Error =>
  Object.assign(new Error(message), { code: 'ECONNRESET' });
