// What apps are made of, beside an engine: those are imported by name, so that no process loads the clients of another.
export { rebuild } from './rebuild.ts';
export { run } from './run.ts';
