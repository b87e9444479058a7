// The sources that can be published to, and whether they are active.
import type { FollowedTopic } from '../../../../domain/flow.ts';
import type { RecordOn } from '../../../../domain/messages-of.ts';
import { isTombstone } from '../../../loop/restoring/definitions.ts';
import type { Follower } from '../control-tail.ts';

export interface Channel {
  readonly workspace: string;
  readonly active: boolean;
}

export class Channels implements Follower {
  readonly #bySource = new Map<string, Channel>();

  accept(record: RecordOn<FollowedTopic>): void {
    if (record.topic !== 'sources') return;
    if (isTombstone(record)) this.#bySource.delete(record.key);
    else if (record.type === 'SourceDefined' && record.data.kind === 'channel') {
      const { workspace, data } = record;
      this.#bySource.set(data.sourceId, { workspace, active: data.active ?? true });
    }
  }

  /** Undefined: no such source, or it runs a component. */
  find(sourceId: string): Channel | undefined {
    return this.#bySource.get(sourceId);
  }
}
