// Runs `run` or a hook, emits the sample, or answers a form; reports to the host how it ended, after all of its output.
import { withParsedBody, type UnparsedHttpEvent } from '../../../../domain/component/http/parsed-body.ts';
import { toHost, send, setCurrentInvocation } from '../core/bridge.ts';
import { beginCall, endCall } from '../core/calls.ts';
import type { Call } from '../core/calls.ts';
import { describeError } from '../core/describe-error.ts';
import { jsonParse, jsonStringify, objectAssign, objectKeys, reflectApply } from '../core/primordials.ts';
import { beginView, mergeView } from './db.ts';
import { bagOf, component, hasSample, isFunction } from './definition.ts';
import type { Bag } from './definition.ts';
import { sendAnswer, emit } from './emit.ts';
import { allProps, propsJson } from './props/additional.ts';
import { resolveProp } from './prop-chain.ts';
import { optionsOf } from './props/prop-options.ts';
import type { OptionsRequest } from './props/prop-options.ts';
import { selfOf } from './self.ts';

/** JSON: name, message and stack. `note` precedes the message. */
export function errorText(error: unknown, note = ''): string {
  const { name, message, stack } = describeError(error);
  return `{"name":${jsonStringify(name)},"message":${jsonStringify(note + message)},"stack":${jsonStringify(stack)}}`;
}

/** With `isHttp`, `body` is made from `bodyRaw`: parsing it costs the component's time, not the host's. */
export type InvokeArguments = readonly [
  what: string,
  event: string,
  props: string,
  isHttp: boolean,
  /** Other invocations of the source can run at the same time. */
  concurrent: boolean,
  /** `$emit` does nothing. */
  muted: boolean,
  /** JSON object: types of the props that `additionalProps` has added, by name. */
  added: string,
  /** With `isHttp`: `run` receives only the body, which must be JSON. */
  onlyBody: boolean,
];

/** If the component has replaced a built-in that parsing relies on, it receives the unparsed text. */
function withBodyOrRaw(event: UnparsedHttpEvent): unknown {
  try {
    return withParsedBody(event);
  } catch {
    return objectAssign(event, { body: event.bodyRaw });
  }
}

function eventOf(text: string, isHttp: boolean, onlyBody: boolean): unknown {
  const event = jsonParse(text);
  if (!isHttp) return event;
  return onlyBody ? bodyOf(event as UnparsedHttpEvent) : withBodyOrRaw(event as UnparsedHttpEvent);
}

/** The body as JSON; throws if it is none, which includes bytes that are not UTF-8. */
function bodyOf({ bodyRaw, bodyBase64 }: UnparsedHttpEvent): unknown {
  if (bodyRaw === '' && bodyBase64 === undefined) return {};
  try {
    return jsonParse(bodyRaw);
  } catch {
    throw new TypeError('The event of the app is not JSON: send it as the JSON body of the request');
  }
}

function callComponent(call: Call, args: InvokeArguments): unknown {
  // By index: destructuring goes through an iterator that a component can replace.
  const what = args[0];
  const definition = component();
  const self = (): Bag =>
    selfOf(definition, { values: jsonParse(args[2]) as Bag, added: jsonParse(args[6]) as Bag }, call);
  if (what === 'sample') return emitSample(definition, self(), call);
  if (what === 'configure') return answerOptions(definition, jsonParse(args[1]) as OptionsRequest, self(), call);
  if (what === 'props') return answerProps(definition, self(), call);
  if (what === 'event_names') return answerEventNames(definition, self(), call);
  const isRun = what === 'run';
  const target = isRun ? definition['run'] : bagOf(definition['hooks'])[what];
  if (!isFunction(target)) {
    if (isRun) throw new TypeError('The component has no run method');
    return undefined;
  }
  // Never null: components destructure it.
  return reflectApply(target, self(), isRun ? [eventOf(args[1], args[3], args[7]) ?? {}] : []);
}

/** The function is called like a method of the component. */
async function answerEventNames(definition: Bag, self: Bag, call: Call): Promise<void> {
  const names = apphookOf(definition)['eventNames'];
  call.muted = true;
  const value = isFunction(names) ? await reflectApply(names, self, []) : names;
  sendAnswer(call, 'event names', jsonStringify(value ?? null) ?? 'null');
}

function apphookOf(definition: Bag): Bag {
  const props = bagOf(definition['props']);
  const names = objectKeys(props);
  for (let at = 0; at < names.length; at++) {
    const name = names[at] ?? '';
    const prop = resolveProp(name, props[name]);
    if (prop['type'] === '$.interface.apphook') return prop;
  }
  return {};
}

/** Emits `sampleEmit` if it is a value, or the result of calling it if it is a function. */
async function emitSample(definition: Bag, self: Bag, call: Call): Promise<void> {
  if (!hasSample(definition)) throw new TypeError('The component has no sampleEmit');
  const sample = definition['sampleEmit'];
  const event = isFunction(sample) ? await reflectApply(sample, self, []) : sample;
  await emit(call, event, undefined);
}

async function answerOptions(definition: Bag, request: OptionsRequest, self: Bag, call: Call): Promise<void> {
  call.muted = true;
  const { options, context } = await optionsOf(definition, self, request, call);
  sendAnswer(call, `options of prop ${request.propName}`, jsonStringify({ options, context }) ?? 'null');
}

async function answerProps(definition: Bag, self: Bag, call: Call): Promise<void> {
  call.muted = true;
  sendAnswer(call, 'props', `{"props":${propsJson(await allProps(definition, self))}}`);
}

/** Makes the call's db writes visible to all; returns an error's JSON text if the db has no room for them. */
function mergeWrites(call: Call): string | null {
  try {
    mergeView(call);
    return null;
  } catch (error) {
    return errorText(error);
  }
}

/** The promise never rejects, because a rejection would count as one that the component did not handle. */
export async function invoke(id: number, args: InvokeArguments): Promise<void> {
  setCurrentInvocation(id);
  const call = beginCall(id);
  if (args[4]) beginView(call);
  call.muted = args[5];
  let failure: string | null = null;
  try {
    await callComponent(call, args);
    await call.responding;
  } catch (error) {
    failure = errorText(error);
  }
  const mergeError = mergeWrites(call);
  send(toHost.done, id, failure ?? mergeError);
  endCall(id);
}
