import { flowDiagram, writtenDiagram } from './flow-diagram.ts';

test('ARCHITECTURE.md shows the flow as flow.ts has it; `npm run diagram` writes it again', () => {
  expect(writtenDiagram()).toBe(flowDiagram());
});
