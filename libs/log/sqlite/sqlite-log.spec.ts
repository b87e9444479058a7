import { describeDurableLog } from '../log.contract.ts';
import { makeDirectory } from './fixture/directory.ts';

describeDurableLog('SqliteLog', async () => {
  const directory = makeDirectory();
  const log = await directory.openFaulty();
  return {
    log,
    failNextAppend: directory.failNext,
    reopen: async () => {
      await log.close();
      return directory.openFaulty();
    },
    dispose: async () => directory.remove(),
  };
});
