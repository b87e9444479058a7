// What apps are made of.
export { embedded } from './embedded/embedded.engine.ts';
export { rebuild } from './rebuild.ts';
export { run } from './run.ts';
