#!/usr/bin/env node
// `pd`: Wellspring from the terminal.
import { readEnvironment } from './config/environment.ts';
import { unwritten } from './failures/unwritten.ts';
import { asksForJson, runProgram } from './program/run-program.ts';

process.stdout.on('error', (error) => {
  const { text, exitCode } = unwritten(error, asksForJson(process.argv.slice(2)));
  process.stderr.write(text);
  process.exit(exitCode);
});

const { stdin, stdout, stderr } = process;
// Without a top-level await: the one file is CommonJS, which loads what it needs only when it needs it.
void runProgram(process.argv.slice(2), {
  environment: readEnvironment(process.env),
  io: { stdin, stdout, stderr },
}).then((code) => {
  process.exitCode = code;
});
