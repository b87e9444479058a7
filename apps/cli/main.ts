#!/usr/bin/env node
// `pd`: Wellspring from the terminal.
import { readEnvironment } from './config/environment.ts';
import { runProgram } from './program/run-program.ts';

/** Anyone who reads a pipe may have enough before the end: `pd events x | head -1`. */
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));

const { stdin, stdout, stderr } = process;
// Without a top-level await: the one file is CommonJS, which loads what it needs only when it needs it.
void runProgram(process.argv.slice(2), {
  environment: readEnvironment(process.env),
  io: { stdin, stdout, stderr },
}).then((code) => {
  process.exitCode = code;
});
