// The error with which Node's own functions reject when their signal aborts.
export const abortError = ({ reason }: { readonly reason?: unknown }): Error =>
  Object.assign(new Error('The operation was aborted', { cause: reason }), { name: 'AbortError', code: 'ABORT_ERR' });
