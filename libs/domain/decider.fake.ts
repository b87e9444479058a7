// Given, when, then for deciders: builds a spec's messages from only the fields that matter to it.
import type { LogRecord } from './message.ts';

/** When and for whom a message of a spec happens; every field has a default for specs that do not care. */
export interface Envelope {
  readonly at?: number;
  readonly workspace?: string;
}

export function messageOf<Type extends string, Data>(
  type: Type,
  data: Data,
  envelope: Envelope = {},
): LogRecord<Type, Data> {
  const { at = 0, workspace = 'o_home' } = envelope;
  return {
    id: 'rec_0',
    type,
    version: 1,
    key: 'key',
    data,
    at,
    workspace,
    correlationId: 'cmd_0',
    causationId: 'cmd_0',
  };
}

/** The state after events, in order. */
export function foldEvents<State, Event>(
  initial: State,
  evolve: (state: State, event: Event) => State,
  events: readonly Event[],
): State {
  return events.reduce((state, event) => evolve(state, event), initial);
}
