// What apps need beside an engine. Apps import each engine by path, so that no process loads another engine's clients.
export { rebuild } from './rebuild.ts';
export { run } from './run.ts';
