// Asks the parts of the task that fill batches whether they are ready.

/** Whether the part has something for a batch, or waits for one. */
export const isReady = (part: { readonly isReady: boolean }): boolean => part.isReady;
