// A compiler process: takes one component at a time, and dies with the product, with esbuild, and when esbuild dies.
import { setPriority } from 'node:os';
import type { FromCompiler, ToCompiler } from './compiler-process.ts';
import { transpile } from './transpile.ts';

/** What compiles may wait for what runs; esbuild inherits it. */
const niceness = 5;

/** This process leads a group, in which esbuild is the other. */
const die = (): void => void process.kill(-process.pid, 'SIGKILL');
const send = (message: FromCompiler): void => void process.send?.(message);

process.on('disconnect', die);
process.on('message', ({ code }: ToCompiler) => {
  transpile(code).then((result) => send({ type: 'compiled', result }), die);
});

try {
  setPriority(niceness);
} catch {
  // Where it is forbidden, compiling is as important as everything else.
}
send({ type: 'ready' });
