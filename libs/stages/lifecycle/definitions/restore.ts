// Brings back what the control plane knows when its partition is taken over: from what stands, not from what was.
import { inOrder } from '../../../domain/definition/requests.ts';
import { dropSaved } from '../../../domain/saved/saved.ts';
import type { LogRecord } from '../../../domain/message.ts';
import type { TaskContext } from '../../loop/stage.ts';
import type { ControlPlane } from '../control-plane.ts';
import { closingCount, Fold } from './fold.ts';
import { partitionsOf, readPartitions } from './read-all.ts';

const definitionTopics = ['sources', 'webhooks', 'subscriptions', 'answers'] as const;
/** What stands there is needed as it is. */
const otherTopics = ['workspaces', 'keys', 'alerts'] as const;

export interface Restored {
  readonly plane: ControlPlane;
  /** To be appended before anything else; undefined: the definitions stand already. */
  readonly fold: Fold | undefined;
  /** Of `components`, by partition. */
  readonly componentsEnds: number[];
}

/** Throws WrongMasterKeyError. */
export async function restore(newPlane: () => ControlPlane, context: TaskContext): Promise<Restored> {
  const { log, tolerate } = context;
  const defined = newPlane();
  const isFolded = await readDefinitions(defined, context);
  const fold = isFolded ? undefined : new Fold(newPlane(), defined, log);
  await fold?.read(context);
  const plane = fold?.plane ?? defined;
  await readSaved(plane, context);
  plane.findEnded();
  for (const topic of otherTopics)
    await readPartitions(log, topic, (record) => tolerate(record, () => plane.evolve(topic, record)));
  plane.checkKeys();
  const componentsEnds = await Promise.all(partitionsOf('components', log).map((p) => log.end('components', p)));
  return { plane, fold, componentsEnds };
}

/** False: they are not all there. */
async function readDefinitions(plane: ControlPlane, { log, tolerate }: TaskContext): Promise<boolean> {
  let closing = 0;
  for (const topic of definitionTopics) {
    await readPartitions(log, topic, (record) => {
      if (!isStanding(record)) return;
      if (record.type === 'DefinitionsFolded') closing++;
      else tolerate(record, () => plane.define(record));
    });
  }
  return closing >= closingCount(log);
}

/** They began with definitions: no fold makes them. */
async function readSaved(plane: ControlPlane, { log, tolerate }: TaskContext): Promise<void> {
  await readPartitions(log, 'saved', (record) => {
    if (isStanding(record)) tolerate(record, () => plane.define(record));
    else dropSaved(plane.saved, record.key);
  });
  inOrder(plane.requests);
}

/** Not a tombstone that is still to be read. */
const isStanding = ({ data }: LogRecord): boolean => data !== null && data !== undefined;
