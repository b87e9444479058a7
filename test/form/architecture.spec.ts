import { flowDiagram, committedDiagram } from './flow-diagram.ts';

test('the diagram in ARCHITECTURE.md matches flow.ts; `npm run diagram` regenerates it', () => {
  expect(committedDiagram()).toBe(flowDiagram());
});
