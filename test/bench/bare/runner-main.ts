// A process that only runs components in isolates: a runner without the service.
import { BareComponent } from './component.ts';
import type { Asked, Ended } from './runner.ts';

const components = new Map<string, BareComponent>();

process.on('message', (asked: Asked) => {
  if (asked.kind === 'load') {
    components.set(asked.source, new BareComponent(asked.code));
    return;
  }
  const emits = components.get(asked.source)?.run(asked.event, asked.props) ?? '[]';
  process.send?.({ n: asked.n, emits } satisfies Ended);
});
process.on('disconnect', () => process.exit());
