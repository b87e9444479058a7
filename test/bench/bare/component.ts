// Runs a component in an isolate without the service: takes the event as JSON, and returns what was emitted.
import ivm from 'isolated-vm';

const memoryMiB = 128;

const prelude = `
const module = { exports: {} };
const taken = [];
const begin = (event, props) => {
  const self = { ...module.exports.methods, ...JSON.parse(props) };
  self.$emit = (event, meta) => taken.push({ event, ...meta });
  if (self.http) self.http.respond = () => {};
  void module.exports.run.call(self, JSON.parse(event));
};
const take = () => JSON.stringify(taken.splice(0));
`;

export class BareComponent {
  readonly #begin: ivm.Reference;
  readonly #take: ivm.Reference;

  constructor(code: string) {
    const isolate = new ivm.Isolate({ memoryLimit: memoryMiB });
    const context = isolate.createContextSync();
    context.evalSync(`${prelude}\n${code}`);
    this.#begin = context.evalSync('begin', { reference: true });
    this.#take = context.evalSync('take', { reference: true });
  }

  /** Returns the emits as JSON text. The run must await only settled promises, so that it ends within this call. */
  run(event: string, props: string): string {
    this.#begin.applySync(undefined, [event, props]);
    return this.#take.applySync(undefined, []) as string;
  }
}
