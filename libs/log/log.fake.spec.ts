import { describeLog } from './log.contract.ts';
import { MemoryLog } from './log.fake.ts';

for (const compactsAtOnce of [false, true])
  describeLog(compactsAtOnce ? 'MemoryLog that compacts at once' : 'MemoryLog', async () => {
    const log = new MemoryLog({ partitions: 4, compactsAtOnce });
    return { log, failNextAppend: (fault) => log.failNextAppend(fault) };
  });
