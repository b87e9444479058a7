// History on a log in memory, signed by the audit stage, for tests of exports and proofs.
import type { StoredRecord } from '../../../../../domain/message.ts';
import type { PageBounds } from '../../../../../log/log.ts';
import type { MemoryLog } from '../../../../../log/log.fake.ts';
import type { TopicName } from '../../../../../domain/flow.ts';
import { type Report, verifyExport, type VerifyOptions } from '../../../../../verifier/index.ts';
import { auditMasterKey, AuditWorld } from '../../../../audit/audit-world.fake.ts';
import { exportHistory, type ExportRequest } from '../export/export-history.ts';
import { Trees } from './trees.ts';

export const minuteMs = 60_000;
export const ownWorkspace = 'o_1';

/** Forty records of two workspaces within a quarter of an hour; the newest two are not signed. */
export async function signedWorld(): Promise<AuditWorld> {
  const world = await AuditWorld.start();
  for (let at = 0; at < 13; at += 1) {
    await world.write('channels');
    await world.write('channels', { workspace: 'o_2' });
    if (at % 3 === 0) await world.write('runs', {}, 1);
    if (at === 5) await world.write('commands', { key: '"é"' });
    await world.turn(0);
    await world.turn(minuteMs);
  }
  await world.write('channels');
  await world.write('deliveries');
  return world;
}

export interface Changes {
  /** Returns what a reader gets instead of a record; undefined: nothing. */
  readonly changed?: (topic: TopicName, record: StoredRecord) => StoredRecord | undefined;
}

/** The log after somebody has tampered with it. */
export function tamperWith(log: MemoryLog, { changed = (_, record) => record }: Changes): MemoryLog {
  const read = async (topic: TopicName, partition: number, from: number, bounds: PageBounds) => {
    const page = await log.read(topic, partition, from, bounds);
    return { ...page, records: page.records.flatMap((record) => changed(topic, record) ?? []) };
  };
  return new Proxy(log, {
    get: (target, name) => {
      if (name === 'read') return read;
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

export const fullExportRequest = (world: AuditWorld): ExportRequest => ({
  workspace: ownWorkspace,
  position: { from: 0, to: world.now + 1, at: world.now },
});

export async function exportText(log: MemoryLog, request: ExportRequest): Promise<string> {
  let text = '';
  for await (const piece of exportHistory({ log, trees: new Trees(log, auditMasterKey) }, request)) text += piece;
  return text;
}

/** Verifies with the keys on the log, unless others are given. */
export async function verifyText(world: AuditWorld, text: string, options: VerifyOptions = {}): Promise<Report> {
  const keys = world.keys().map(({ publicKey }) => publicKey);
  return verifyExport(
    (async function* () {
      yield Buffer.from(text);
    })(),
    { keys, ...options },
  );
}
