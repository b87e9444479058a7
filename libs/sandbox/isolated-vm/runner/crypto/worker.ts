// The script of a thread for slow cryptography: runs operations one by one, and reports the processor time of each.
import { parentPort } from 'node:worker_threads';
import { runOperation, type OperationResult } from './operations.ts';

export interface Job {
  readonly name: string;
  readonly args: readonly unknown[];
}

export interface JobResult {
  readonly answer: OperationResult;
  readonly cpuNs: number;
}

const cpuNs = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) * 1_000;
};

parentPort?.on('message', ({ name, args }: Job) => {
  const startNs = cpuNs();
  const result: JobResult = { answer: runOperation(name, ...args), cpuNs: cpuNs() - startNs };
  parentPort?.postMessage(result);
});
