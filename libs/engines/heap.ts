// Limits how far V8 lets the heap of a process grow before it collects old objects.
import { setFlagsFromString } from 'node:v8';

/**
 * Growth beyond the live heap after the last full collection. By default V8 lets it grow up to fourfold on a machine
 * with much memory, and does not release pages. With 50 the main process takes 80 MiB less under load, and a tenth more
 * processor time.
 */
const growthPercent = 100;

export const boundHeapGrowth = (): void => setFlagsFromString(`--heap-growing-percent=${growthPercent}`);
