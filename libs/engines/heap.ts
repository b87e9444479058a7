// How far V8 lets the heap of a process grow before it collects what is old.
import { setFlagsFromString } from 'node:v8';

/**
 * Beyond what lived after the last full collection. By default V8 lets it grow up to fourfold on a machine with much
 * memory, and pages once taken stay taken.
 */
const growthPercent = 50;

export const boundHeapGrowth = (): void => setFlagsFromString(`--heap-growing-percent=${growthPercent}`);
