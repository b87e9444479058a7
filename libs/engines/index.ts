// Exports what apps need besides an engine. Apps import each engine by path: no process loads another engine's clients.
export { rebuild } from './rebuild.ts';
export { run } from './run.ts';
