// A process that only runs components in isolates: a runner without the service.
import { BareComponent } from './component.ts';
import type { RunnerRequest, RunResult } from './runner.ts';

const components = new Map<string, BareComponent>();

process.on('message', (request: RunnerRequest) => {
  if (request.kind === 'load') {
    components.set(request.source, new BareComponent(request.code));
    return;
  }
  const emits = components.get(request.source)?.run(request.event, request.props) ?? '[]';
  process.send?.({ n: request.n, emits } satisfies RunResult);
});
process.on('disconnect', () => process.exit());
