// The only import of isolated-vm, which is CommonJS and loads native code.
import { createRequire } from 'node:module';
import type ivmTypes from 'isolated-vm';

export const ivm = createRequire(import.meta.url)('isolated-vm') as typeof ivmTypes;
export type { ivmTypes };
