// Tells the gateways that filters hold from now on: no attempt begins for an event that they leave out.
import type { RecordsOn } from '../../../domain/messages-of.ts';
import { everyGateway, type Log } from '../../../log/log.ts';
import { isTombstone } from '../../loop/restoring/definitions.ts';

export function filtersTaken(log: Pick<Log, 'reply'>, records: RecordsOn<'webhooks' | 'subscriptions'>): void {
  for (const record of records) {
    if (record.type !== 'FilterDefined' || isTombstone(record)) continue;
    const { correlationId, partition } = record;
    log.reply(everyGateway, { type: 'FilterTaken', correlationId, partition });
  }
}
