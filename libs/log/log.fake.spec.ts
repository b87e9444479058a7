import { describeLog } from './log.contract.ts';
import { MemoryLog } from './log.fake.ts';

describeLog('MemoryLog', async () => {
  const log = new MemoryLog({ partitions: 4 });
  return { log, failNextAppend: (fault) => log.failNextAppend(fault) };
});
