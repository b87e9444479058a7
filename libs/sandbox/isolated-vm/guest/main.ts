// The script that runs inside an isolate: sets up the globals and gives the host the one function that it calls.
import './globals/first-globals.ts';
import { installGlobals, removeForbiddenGlobals } from './globals/globals.ts';
import { resetContext } from './core/async-context.ts';
import { connect, setCurrentInvocation } from './core/bridge.ts';
import type { Ask, Send, SlowReference } from './core/bridge.ts';
import { beginCall, removeEnded } from './core/calls.ts';
import { setLimits } from './core/guest-limits.ts';
import { joinTexts } from './core/pieces.ts';
import { resetTimerBudget, fireTimer, dropTimers } from './core/timers.ts';
import { restoreDb } from './component/db.ts';
import { invoke, type InvokeArguments } from './component/invoke.ts';
import { load } from './component/load.ts';
import type { ModuleFunction } from './component/load.ts';
import { dropRequests, handleResponseHead, handleFailure, handlePart } from './fetch/exchange.ts';
import { process } from './node/process.ts';
import { defineGlobal, removeStandIn } from './globals/first-globals.ts';
import { toGuest } from '../wire.ts';
import type { GuestLimits } from '../wire.ts';

interface BootConfig {
  readonly sourceId: string;
  readonly limits: GuestLimits;
}

function dispatch(message: number, id: number, ...args: unknown[]): string | undefined {
  joinTexts(args);
  removeEnded(dropRequests);
  resetTimerBudget();
  resetContext();
  switch (message) {
    case toGuest.load:
      setCurrentInvocation(id);
      restoreDb(args[1] as string);
      return load(args[0] as ModuleFunction, args[2] === true);
    case toGuest.invoke:
      void invoke(id, args as unknown as InvokeArguments);
      return undefined;
    case toGuest.timer:
      fireTimer(id);
      return undefined;
    case toGuest.answered:
      handleResponseHead(id, args[0] as string, args[1] as ArrayBuffer | undefined, args[2] === true);
      return undefined;
    case toGuest.part:
      handlePart(id, args[0] as ArrayBuffer | undefined, args[1] === true);
      return undefined;
    case toGuest.failed:
      handleFailure(id, args[0] as string);
      return undefined;
    case toGuest.idle:
      dropTimers();
      return undefined;
    default:
      return undefined;
  }
}

function boot(send: Send, quick: Ask, slow: SlowReference, config: string): typeof dispatch {
  const { sourceId, limits } = JSON.parse(config) as BootConfig;
  connect(send, quick, slow);
  setLimits(limits);
  (process['env'] as Record<string, string>)['PD_COMPONENT'] = sourceId;
  // Lines that the component prints while it loads belong to id 0.
  beginCall(0);
  removeForbiddenGlobals();
  return dispatch;
}

installGlobals();
defineGlobal('process', process);
defineGlobal('__boot', boot);
removeStandIn();
