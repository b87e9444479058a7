// Runs `run` or a hook and tells the host how it ended; what it put out has gone to the host already.
import { op, send, setCurrentInvocation } from '../core/bridge.ts';
import { beginCall, endCall } from '../core/calls.ts';
import type { Call } from '../core/calls.ts';
import { describeError } from '../core/errors.ts';
import { jsonParse, jsonStringify, reflectApply } from '../core/primordials.ts';
import { bagOf, component, isFunction } from './definition.ts';
import type { Bag } from './definition.ts';
import { selfOf } from './self.ts';

export function errorText(error: unknown): string {
  const { name, message, stack } = describeError(error);
  return `{"name":${jsonStringify(name)},"message":${jsonStringify(message)},"stack":${jsonStringify(stack)}}`;
}

function start(call: Call, what: string, event: string, props: string): unknown {
  const definition = component();
  const isRun = what === 'run';
  const target = isRun ? definition['run'] : bagOf(definition['hooks'])[what];
  if (!isFunction(target)) {
    if (isRun) throw new TypeError('The component has no run method');
    return undefined;
  }
  const self = selfOf(definition, jsonParse(props) as Bag, call);
  // Never null: components destructure it.
  return reflectApply(target, self, isRun ? [jsonParse(event) ?? {}] : []);
}

/** Its promise never rejects, because a rejection would count as one that the component has not handled. */
export async function invoke(id: number, what: string, event: string, props: string): Promise<void> {
  setCurrentInvocation(id);
  const call = beginCall(id);
  try {
    await start(call, what, event, props);
    send(op.done, id, null);
  } catch (error) {
    send(op.done, id, errorText(error));
  }
  endCall(id);
}
