// Makes the diagram of the flow, as Mermaid text, from flow.ts; `npm run diagram` writes it into ARCHITECTURE.md.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { flow, stageNames, topicNames, topics } from '../../libs/domain/flow.ts';
import type { TopicName } from '../../libs/domain/flow.ts';

const page = new URL('../../ARCHITECTURE.md', import.meta.url);
const block = /(?<=<!-- flow: .*-->\n\n)```mermaid\n[^]*?```\n/;

/** Without marks, which each stage writes and reads itself. */
const isShown = (topic: TopicName): boolean => !topic.startsWith('marks.');

export function flowDiagram(): string {
  const names = topicNames.filter(isShown);
  const nodes = [
    ...stageNames.map((stage) => `  ${stage}[${stage}]`),
    ...names.map((topic) => `  ${topic}${topics[topic].writer === 'many' ? `{{${topic}}}` : `([${topic}])`}`),
  ];
  const arrows = stageNames.flatMap((stage) => {
    const { reads, tails, awaits = [], looksUp, writes, requests, tells } = flow[stage];
    return [
      ...[...reads].filter(isShown).map((topic) => `  ${topic} --> ${stage}`),
      ...[...tails].filter(isShown).map((topic) => `  ${topic} -. tail .-> ${stage}`),
      ...[...awaits].filter(isShown).map((topic) => `  ${topic} -. outcomes .-> ${stage}`),
      ...[...looksUp].filter(isShown).map((topic) => `  ${topic} -. look up .-> ${stage}`),
      ...[...new Set([...writes, ...requests, ...tells])].filter(isShown).map((topic) => `  ${stage} --> ${topic}`),
    ];
  });
  const views = ['  projection --> views[(views)]', '  views -. read .-> gateway'];
  return ['```mermaid', 'flowchart LR', ...nodes, ...arrows, ...views, '```', ''].join('\n');
}

/** The current diagram in ARCHITECTURE.md. */
export function committedDiagram(): string | undefined {
  return block.exec(readFileSync(page, 'utf8'))?.[0];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(page, readFileSync(page, 'utf8').replace(block, flowDiagram()));
}
