// Components that try to reach the product's own code in their isolate, to send what no component may send.
import type { ComponentAttack } from '../attack.ts';
import { component, db } from '../attack.ts';

/** The numbers of guest/core/bridge.ts. */
const op = { emit: 1, console: 2, respond: 3, db: 4, done: 5, timer: 6 } as const;

/** A setter with which lists still work. The case's own functions contain `knock`, to tell them from the product's. */
const workingSetter = (at: number): string =>
  `function (value) { /* knock */ Object.defineProperty(this, ${at}, { value, writable: true, enumerable: true, configurable: true }); }`;

/** Finds the product's send function from a caller, and the id of the run further up the stack. */
const follow = `
    let send, id;
    const follow = (from) => { /* knock */
      if (typeof from === 'function' && !String(from).includes('knock')) send ??= from;
      for (let at = from, steps = 0; at && steps < 5; steps++) {
        try { id ??= at.arguments[0].id; } catch {}
        try { at = at.caller; } catch { break; }
      }
    };`;

/** The send function reads a missing argument from a list: a getter on the lists' prototype then finds its caller. */
const byCaller = `${follow}
    Object.defineProperty(Array.prototype, 2, {
      configurable: true,
      get: function get() { /* knock */ try { follow(get.caller); } catch {} },
      set: ${workingSetter(2)},
    });
    this.$emit('knock'); this.db.set('knock', 1);
    delete Array.prototype[2];`;

const byCallee = `${follow}
    const spy = function () { /* knock */ try { follow(arguments.callee.caller); } catch {} };
    for (const at of [1, 2]) Object.defineProperty(Array.prototype, at, { configurable: true, get: spy, set: at === 1 ? ${workingSetter(1)} : ${workingSetter(2)} });
    this.$emit('knock'); this.db.set('knock', 1);
    for (const at of [1, 2]) delete Array.prototype[at];`;

const byCallSite = `${follow}
    Error.prepareStackTrace = (_, sites) => { /* knock */ for (const site of sites) follow(site.getFunction?.()); return ''; };
    Object.defineProperty(Array.prototype, 2, { configurable: true, get() { void new Error('knock').stack; }, set: ${workingSetter(2)} });
    this.$emit('knock'); this.db.set('knock', 1);
    delete Array.prototype[2]; delete Error.prepareStackTrace;`;

/** Requested twice, because the next run reads what was written. */
function bridgeAttack(name: string, technique: string, then: string): ComponentAttack {
  const run = `${technique}
    const reached = typeof send === 'function';
    console.log('reached the bridge:', reached);
    if (reached) { ${then} }`;
  return {
    kind: 'component',
    name: `bridge: ${name}`,
    code: () => component({ props: db, run }),
    requests: [{}, {}],
    expected: { run: 'succeeded', console: /reached the bridge: false/ },
  };
}

export const bridges: readonly ComponentAttack[] = [
  bridgeAttack(
    'by function.caller, a db text that is no JSON',
    byCaller,
    `send(${op.db}, id ?? 1, 'broken', 'no json {');`,
  ),
  bridgeAttack(
    'by function.caller, a db text nested 30,000 deep',
    byCaller,
    `send(${op.db}, id ?? 1, 'deep', '['.repeat(30_000) + ']'.repeat(30_000));`,
  ),
  bridgeAttack(
    'by function.caller, an emit nested 30,000 deep',
    byCaller,
    `send(${op.emit}, id ?? 1, '{"channel":"","event":' + '['.repeat(30_000) + ']'.repeat(30_000) + '}');`,
  ),
  bridgeAttack(
    'by function.caller, 200 MB of console',
    byCaller,
    `for (let at = 0; at < 20; at++) send(${op.console}, id ?? 1, 'log', 'x'.repeat(1e7));`,
  ),
  bridgeAttack(
    'by arguments.callee, a db text that is no JSON',
    byCallee,
    `send(${op.db}, id ?? 1, 'broken', 'no json {');`,
  ),
  bridgeAttack('by arguments.callee, an error that is no JSON', byCallee, `send(${op.done}, id ?? 1, 'no json {');`),
  bridgeAttack(
    'by the call sites of an error, a db text that is no JSON',
    byCallSite,
    `send(${op.db}, id ?? 1, 'broken', 'no json {');`,
  ),
];
