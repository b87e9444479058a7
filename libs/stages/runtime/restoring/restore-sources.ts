// Restores what a task needs before it starts: definitions of sources, data keys and states.
import type { Ambient } from '../../../domain/ambient.ts';
import { parsePendingKey } from '../../../domain/pending/pending.ts';
import type { Reads, TopicName } from '../../../domain/flow.ts';
import type { RecordOn } from '../../../domain/messages-of.ts';
import { positionKey } from '../../../log/index.ts';
import type { Position } from '../../../log/index.ts';
import type { CheckedLog } from '../../loop/reading/checked-log.ts';
import { checkKeys } from '../../loop/alerts/closed-keys.ts';
import { isTombstone, readDefinitions } from '../../loop/restoring/definitions.ts';
import { forEachRecord } from '../../loop/restoring/for-each-record.ts';
import type { TaskContext } from '../../loop/stage.ts';
import type { RuntimeLimits } from '../runtime-limits.ts';
import { BundleUses } from '../bundles/bundle-uses.ts';
import { SourceDefinitions } from '../source/definitions.ts';
import type { FollowedAccounts } from '../accounts/followed-accounts.ts';
import { LogsSubscribers } from '../followed/subscribers.ts';
import { entryOf } from '../pending/pending-emits.ts';
import { WaitingEmits } from '../output/waiting-emits.ts';
import { SourceRecentIds } from '../publishing/source-recent-ids.ts';
import { Auth } from '../accounts/auth.ts';
import { Stores } from '../stores/stores.ts';
import { SourceStates } from '../source/source-states.ts';
import { Vault } from '../source/vault.ts';

export interface Restored {
  readonly definitions: SourceDefinitions;
  readonly states: SourceStates;
  /** The ids that were published last. */
  readonly recents: SourceRecentIds;
  /** Which sources use which bundle. */
  readonly bundleUses: BundleUses;
  readonly vault: Vault;
  readonly accounts: FollowedAccounts;
  readonly auth: Auth;
  /** Emits that wait for their time. */
  readonly waiting: WaitingEmits;
  /** Which sources have a subscription to `$logs`. */
  readonly subscribers: LogsSubscribers;
  /** The data stores of the partition's workspaces. */
  readonly stores: Stores;
  readonly start: readonly Position<Reads<'runtime'>>[];
  /** The end of `triggers` at take-over: no earlier owner has begun anything above it. */
  readonly ownedFrom: number;
}

export interface RestoreOptions {
  readonly masterKey: Buffer;
  readonly ambient: Ambient;
  readonly limits: RuntimeLimits;
  readonly accounts: FollowedAccounts;
}

export type RestoreContext = Pick<TaskContext, 'log' | 'partition' | 'mark' | 'tolerate' | 'alerts'>;

/**
 * Reads `sources`, `subscriptions`, `accounts` and `keys` to their ends, which are at the mark or beyond. Reading them
 * yields no output, so only the mark's position on `triggers` matters. Throws WrongMasterKeyError when no data key
 * opens, PortError while lifecycle has not written all definitions.
 */
export async function restore(context: RestoreContext, options: RestoreOptions): Promise<Restored> {
  const { masterKey, ambient, limits, accounts } = options;
  const { log, partition, mark, tolerate } = context;
  // Read first: restoring takes time, and calls that arrive in the meantime belong to this owner.
  const ownedFrom = await log.end('triggers', partition);
  const vault = new Vault(masterKey, ambient);
  const definitions = new SourceDefinitions();
  const states = new SourceStates(vault);
  const keys = await readToEnd(log, 'keys', 0, (record) => void vault.accept(record));
  checkKeys(vault, context.alerts);
  const sources = await readDefinitions(
    log,
    { topic: 'sources', partition },
    {
      take: (record) => tolerate(record, () => definitions.accept(record)),
      pass: ({ record }) => definitions.markUnreadable(record.key),
    },
  );
  await accounts.restore(log);
  const subscribers = new LogsSubscribers();
  const subscriptions = await readDefinitions(
    log,
    { topic: 'subscriptions', partition },
    { take: (record) => tolerate(record, () => subscribers.accept(record)) },
  );
  const bundleUses = new BundleUses(await log.end('bundles', partition));
  const recents = new SourceRecentIds({ log, partition, bytesMax: limits.recentIdsBytesMax });
  await readToEnd(log, 'state', partition, (record) =>
    tolerate(record, () => {
      if (!recents.accept(record) && !bundleUses.accept(record)) states.accept(record);
    }),
  );
  recents.finishRestore();
  const waiting = new WaitingEmits(limits);
  await readToEnd(log, 'pending', partition, (record) => {
    if (isTombstone(record)) waiting.remove(parsePendingKey(record.key));
    else waiting.add(entryOf(record, record.offset));
  });
  const stores = new Stores(vault);
  await readToEnd(log, 'stores', partition, (record) => tolerate(record, () => stores.accept(record)));
  const start: Restored['start'] = [
    { topic: 'keys', partition: 0, offset: keys },
    { topic: 'sources', partition, offset: sources },
    { topic: 'subscriptions', partition, offset: subscriptions },
    { topic: 'accounts', partition: 0, offset: accounts.next },
    { topic: 'triggers', partition, offset: mark.positions[positionKey('triggers', partition)] ?? 0 },
  ];
  const auth = new Auth({ accounts, vault, log });
  const state = { definitions, states, recents, bundleUses, waiting, stores };
  return { ...state, vault, accounts, auth, subscribers, start, ownedFrom };
}

/** Visits every record that exists now, in order, and returns the offset after the last one. */
async function readToEnd<T extends TopicName>(
  log: Pick<CheckedLog, 'read' | 'end'>,
  topic: T,
  partition: number,
  visit: (record: RecordOn<T>) => void,
): Promise<number> {
  const to = await log.end(topic, partition);
  await forEachRecord(log, { topic, partition, to }, visit);
  return to;
}
