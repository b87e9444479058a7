// A component in an isolate without any of the service around it: the event goes in as JSON, what was emitted comes out.
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

  /** A run that awaits only what has settled has ended when its first call returns. Gives the JSON text of its emits. */
  run(event: string, props: string): string {
    this.#begin.applySync(undefined, [event, props]);
    return this.#take.applySync(undefined, []) as string;
  }
}
