import { jest } from '@jest/globals';
import { describeDurableLog } from '../log.contract.ts';
import type { AppendFault } from '../contract/harness.ts';
import type { Log, Writer } from '../log.ts';
import { againstKafka } from './fixture/brokers.ts';
import { api, breakingDial, type BreakingDial } from './fixture/breaking-dial.ts';
import { createTestTopics } from './fixture/test-topics.ts';

/** Topics are made and deleted for each part, on a broker that all specs share. */
const slowMs = 30_000;

againstKafka('the log contract', (brokers) => {
  jest.setTimeout(slowMs);

  describeDurableLog('KafkaLog', async () => {
    const connections = breakingDial();
    const topics = createTestTopics(brokers);
    const open = async (): Promise<Log> => servedAgain(await topics.open({ dial: connections.dial }), connections);
    const log = await open();
    return {
      log,
      failNextAppend: (fault) => arm(connections, fault),
      reopen: async () => {
        await log.close();
        return open();
      },
      dispose: () => topics.remove(),
    };
  });
});

function arm(connections: BreakingDial, fault: AppendFault): void {
  if (fault === 'unavailable') connections.refuse(true);
  else connections.breakNext(api.endTransaction, fault === 'unknown_outcome_lost' ? 'lost_request' : 'lost_reply');
}

/** Lets brokers that refuse connections accept them again after the next append or request. */
function servedAgain<L extends Log>(log: L, connections: BreakingDial): L {
  const afterwards = <A extends unknown[], T>(call: (...args: A) => Promise<T>) => {
    return async (...args: A): Promise<T> => call(...args).finally(() => connections.refuse(false));
  };
  const own = log.own.bind(log);
  log.request = afterwards(log.request.bind(log));
  log.own = async (stage, partition) => {
    const writer: Writer = await own(stage, partition);
    writer.append = afterwards(writer.append.bind(writer));
    return writer;
  };
  return log;
}
