// Whose turn for the log it is, beside that of the workspaces whose retries are read again.

export const readsOf = { catchUp: 'catch-up', lines: 'lines' } as const;
