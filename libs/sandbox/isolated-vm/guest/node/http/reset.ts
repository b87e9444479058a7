// The error of a connection that ended too early, as Node names it.

export const reset = (message: string): Error => Object.assign(new Error(message), { code: 'ECONNRESET' });
