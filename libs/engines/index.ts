// What apps are made of.
export { embedded } from './embedded.engine.ts';
export { run } from './run.ts';
