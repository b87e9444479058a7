// The script of a thread for slow cryptography: runs operations one by one, and reports the processor time of each.
import { parentPort } from 'node:worker_threads';
import { answer, type Answer } from './operations.ts';

export interface Job {
  readonly name: string;
  readonly args: readonly unknown[];
}

export interface Done {
  readonly answer: Answer;
  readonly cpuNs: number;
}

const cpuNs = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) * 1_000;
};

parentPort?.on('message', ({ name, args }: Job) => {
  const before = cpuNs();
  const done: Done = { answer: answer(name, ...args), cpuNs: cpuNs() - before };
  parentPort?.postMessage(done);
});
