#!/usr/bin/env node
// `pd`: Wellspring from the terminal.
import { readEnvironment } from './config/environment.ts';
import { explainWriteError } from './failures/write-failure.ts';
import { asksForJson, runProgram } from './program/run-program.ts';

process.stdout.on('error', (error) => {
  const { text, exitCode } = explainWriteError(error, asksForJson(process.argv.slice(2)));
  process.stderr.write(text);
  process.exit(exitCode);
});

const { stdin, stdout, stderr } = process;
// No top-level await: the bundle is CommonJS, which can load its parts only when they are needed.
void runProgram(process.argv.slice(2), {
  environment: readEnvironment(process.env),
  io: { stdin, stdout, stderr },
}).then((code) => {
  process.exitCode = code;
});
