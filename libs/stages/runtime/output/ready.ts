// Asked of each part of the task that puts something into batches.

/** Whether it has something for a batch, or waits for one. */
export const isReady = (of: { readonly isReady: boolean }): boolean => of.isReady;
