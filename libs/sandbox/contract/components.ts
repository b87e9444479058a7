// The components that the contract suite deploys.
import type { Json } from '../../domain/json.ts';
import { FakeEnd } from '../sandbox.fake.ts';
import { manifestOf, waitUntil } from './harness.ts';
import type { ContractComponent } from './harness.ts';

const props = [
  { name: 'db', type: '$.service.db' },
  { name: 'http', type: '$.interface.http', customResponse: true },
];

export const described: ContractComponent = {
  code: `export default {
    name: 'Described', version: '0.1.0', key: 'app-described', description: 'All of it', dedupe: 'greatest',
    props: {
      db: '$.service.db',
      http: { type: '$.interface.http', customResponse: true },
      count: { type: 'integer', label: 'Count', optional: true, default: 3, min: 1, max: 9 },
    },
    hooks: { async activate() {}, deploy: () => {} },
    methods: { help() {} },
    run() {},
  }`,
  scripted: {
    manifest: manifestOf('Described', {
      key: 'app-described',
      description: 'All of it',
      dedupe: 'greatest',
      props: [...props, { name: 'count', type: 'integer', label: 'Count', optional: true, default: 3, min: 1, max: 9 }],
      hooks: ['deploy', 'activate'],
      methods: ['help'],
    }),
  },
};

export const emitter: ContractComponent = {
  code: `module.exports = { name: 'Emitter', version: '0.1.0', run(event) {
    this.$emit({ got: event });
    this.$emit(null, { id: 7, name: 'named', summary: 'a line', ts: 1700000000000 });
    console.log('first', { a: 1 });
    console.error('second');
  } }`,
  scripted: {
    manifest: manifestOf('Emitter'),
    run: (call) => {
      call.emit({ event: { got: call.event } });
      call.emit({ event: null, id: 7, channel: 'named', summary: 'a line', ts: 1700000000000 });
      call.console('first { a: 1 }');
      call.console('second', 'error');
    },
  },
};

let release = (): void => {};

/** Writes `text` to the event's keys; with `waits`, waits for the end of another of its runs. Emits `a` and `b`. */
export const neighbour: ContractComponent = {
  code: `let release; module.exports = { name: 'Neighbour', version: '0.1.0',
    props: { db: '$.service.db', http: { type: '$.interface.http', customResponse: true } },
    async run({ keys, text, waits }) {
      for (const key of keys) this.db.set(key, text);
      this.http.respond({ status: 202 });
      if (waits) await new Promise((resolve) => { release = () => setTimeout(resolve, 1); });
      else release?.();
      this.$emit([this.db.get('a') ?? null, this.db.get('b') ?? null]);
    } }`,
  scripted: {
    manifest: manifestOf('Neighbour', { props }),
    run: async (call) => {
      const { keys, text, waits } = call.event as { keys: string[]; text: string; waits?: boolean };
      for (const key of keys) call.db.set(key, text);
      call.respond({ status: 202 });
      if (waits) await new Promise<void>((resolve) => (release = () => setTimeout(resolve, 1)));
      else release();
      call.emit({ event: [call.db.get('a') ?? null, call.db.get('b') ?? null] });
    },
  },
};

/** Makes its sample from a prop. */
export const sampled: ContractComponent = {
  code: `module.exports = { name: 'Sampled', version: '0.1.0', props: { title: 'string' },
    annotations: { readOnlyHint: true, openWorldHint: 'odd', odd: true },
    sampleEmit() { console.log('sampling'); return { title: this.title }; }, run() {} }`,
  scripted: {
    manifest: manifestOf('Sampled', {
      props: [{ name: 'title', type: 'string' }],
      sampleEmit: true,
      annotations: { readOnlyHint: true },
    }),
    sample: (call) => {
      call.console('sampling');
      call.emit({ event: { title: call.props['title'] ?? null } });
    },
  },
};

/** Prints the field `text` of its event and throws it. */
export const tattler: ContractComponent = {
  code: `module.exports = { name: 'Tattler', version: '0.1.0', run({ text }) { console.log(text); throw new Error(text); } }`,
  scripted: {
    manifest: manifestOf('Tattler'),
    run: (call) => {
      const { text } = call.event as { text: string };
      call.console(text);
      throw new Error(text);
    },
  },
};

/** Emits and writes, then throws. */
export const thrower: ContractComponent = {
  code: `module.exports = { name: 'Thrower', version: '0.1.0', props: { db: '$.service.db' }, run() {
    this.$emit('before');
    this.db.set('before', true);
    throw new RangeError('on purpose');
  } }`,
  scripted: {
    manifest: manifestOf('Thrower'),
    run: (call) => {
      call.emit({ event: 'before' });
      call.db.set('before', true);
      throw new RangeError('on purpose');
    },
  },
};

/** For each item of `event`: [key, value] sets, [key] deletes, [] does neither. Emits the resulting `a` and `b`. */
export const keeper: ContractComponent = {
  code: `module.exports = { name: 'Keeper', version: '0.1.0', props: { db: '$.service.db' }, run(writes) {
    for (const [key, ...value] of writes) this.db.set(key, value[0]);
    const found = (key) => this.db.get(key) === undefined ? 'undefined' : this.db.get(key);
    this.$emit({ a: found('a'), b: found('b') });
  } }`,
  scripted: {
    manifest: manifestOf('Keeper'),
    run: (call) => {
      for (const [key, value] of call.event as unknown as [string, Json?][]) call.db.set(key, value);
      const found = (key: string): Json => call.db.get(key) ?? 'undefined';
      call.emit({ event: { a: found('a'), b: found('b') } });
    },
  },
};

/** `activate` waits until a run has set `go`, and emits its value; a run sets it and ends at once. */
export const handshake: ContractComponent = {
  code: `module.exports = { name: 'Handshake', version: '0.1.0',
    props: { db: '$.service.db', http: { type: '$.interface.http', customResponse: true } },
    hooks: { async activate() {
      while (this.db.get('go') === undefined) await new Promise((resolve) => setTimeout(resolve, 2));
      this.$emit(this.db.get('go'));
    } },
    run(event) { this.db.set('go', event.secret); },
  }`,
  scripted: {
    manifest: manifestOf('Handshake', { hooks: ['activate'] }),
    hooks: {
      activate: async (call) => {
        await waitUntil(() => call.db.get('go') !== undefined);
        call.emit({ event: call.db.get('go') ?? null });
      },
    },
    run: (call) => call.db.set('go', (call.event as { secret: string }).secret),
  },
};

/** Responds twice, and never ends. */
export const responder: ContractComponent = {
  code: `module.exports = { name: 'Responder', version: '0.1.0',
    props: { http: { type: '$.interface.http', customResponse: true } },
    async run() {
      this.http.respond({ status: 201, headers: { 'x-a': 'b' }, body: 'made' });
      this.http.respond({ status: 500 });
      await new Promise(() => setTimeout(() => {}, 60_000));
    },
  }`,
  scripted: {
    manifest: manifestOf('Responder'),
    run: async (call) => {
      const bodyBase64 = Buffer.from('made').toString('base64');
      call.respond({ status: 201, headers: { 'x-a': 'b' }, bodyBase64 });
      call.respond({ status: 500 });
      await new Promise(() => {});
    },
  },
};

/** Emits and writes, then ends its process. The first time it is `lost`, because others might have been the cause. */
export const crasher: ContractComponent = {
  code: `module.exports = { name: 'Crasher', version: '0.1.0', props: { db: '$.service.db' }, run() {
    this.$emit('before');
    this.db.set('before', true);
    console.log('before');
    'a'.repeat(2 ** 28).split('');
  } }`,
  scripted: {
    manifest: manifestOf('Crasher'),
    run: (call) => {
      call.emit({ event: 'before' });
      call.db.set('before', true);
      call.console('before');
      crashes++;
      throw new FakeEnd(crashes === 1 ? 'lost' : 'crashed');
    },
  },
};
let crashes = 0;

export const components = [
  described,
  emitter,
  sampled,
  tattler,
  thrower,
  keeper,
  handshake,
  responder,
  crasher,
  neighbour,
];
