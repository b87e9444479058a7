// Finds the tools that the servers need on the machine, or names the missing ones with how to install them.
import { spawn, spawnSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';

const advice = {
  java: 'Java 17 or later (Debian, Ubuntu: apt-get install openjdk-17-jre-headless; macOS: brew install openjdk)',
  mvn: 'Maven 3.8 or later (Debian, Ubuntu: apt-get install maven; macOS: brew install maven)',
  cargo:
    'Rust 1.95 or later (https://rustup.rs), or better a real mongod on the PATH (https://www.mongodb.com/try/download/community)',
  cc: 'a C compiler (Debian, Ubuntu: apt-get install build-essential; macOS: xcode-select --install)',
  cmake: 'CMake (Debian, Ubuntu: apt-get install cmake; macOS: brew install cmake)',
  ninja: 'Ninja (Debian, Ubuntu: apt-get install ninja-build; macOS: brew install ninja)',
};

/** An error whose message is all that the user needs. */
export class EngineProblem extends Error {}

export function has(tool) {
  return spawnSync(tool, ['--version'], { stdio: 'ignore' }).error === undefined;
}

/** Throws an EngineProblem that names every missing tool, and how to install it. */
export function need(purpose, tools) {
  const missing = tools.filter((tool) => !has(tool));
  if (missing.length === 0) return;
  throw new EngineProblem(
    [`To ${purpose}, install:`, ...missing.map((tool) => `  ${tool}: ${advice[tool]}`)].join('\n'),
  );
}

/** Runs a command within the time limit, with its output in a file that the error of a failure names. */
export async function run([command, ...args], { logFile, limitMs }) {
  mkdirSync(dirname(logFile), { recursive: true });
  const output = openSync(logFile, 'w');
  const late = AbortSignal.timeout(limitMs);
  const child = spawn(command, args, { stdio: ['ignore', output, output], signal: late, killSignal: 'SIGKILL' });
  closeSync(output);
  const ended = await new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (status, signal) => resolve(signal ?? status));
  });
  if (ended === 0) return;
  const how = late.aborted ? `did not end within ${limitMs / 1000} s and was killed` : `ended with ${ended}`;
  throw new EngineProblem(`${command} ${how}; its output is in ${logFile}`);
}
