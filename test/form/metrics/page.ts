// Makes docs/metrics.md from the families of metrics; `npm run metrics` writes it.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import prettier from 'prettier';
import type { Family } from '../../../libs/primitives/metrics/family.ts';
import { familyGroups } from '../../../libs/stages/loop/measuring/families.ts';

const root = new URL('../../../', import.meta.url);
const path = 'docs/metrics.md';

const introduction = `# Metrics

Made by \`npm run metrics\`.

Every process answers \`GET /metrics\` in Prometheus' text format: the gateway on \`PORT\`, the others on \`HEALTH_PORT\`. The embedded engine has everything in one process.

- **Who may read them**: requests from the same machine by \`localhost\` or an IP address, and requests from anywhere that send \`Authorization: Bearer METRICS_TOKEN\`. Without \`METRICS_TOKEN\` other machines get 403, with a wrong token 401. A request that a proxy has forwarded (\`Forwarded\`, \`X-Forwarded-For\`, \`X-Forwarded-Host\`, \`X-Real-IP\` or \`Via\`) counts as one from another machine.
- **Labels** never hold an id, a URL, or anything that a client has sent, so the number of series does not grow with sources, webhooks or traffic.
- **Counters and histograms** begin at 0 when the process starts; a series with labels is absent until it counts, but those of \`wellspring_delivery_parked_total\` are there at once, as \`increase\` needs. Gauges are read for each answer. What cannot be read within 5 s is absent from that answer and counted in \`wellspring_metrics_left_out_total\`.
- **Lag** is what a stage has not read, by topic and partition; of a partition that several of its loops in the process read, what the last of them has not read. What it has read and not finished is in \`wellspring_runtime_triggers\`, \`wellspring_delivery_waiting\`, \`wellspring_delivery_in_flight\` and \`wellspring_delivery_retries_waiting\`; requests to publish that wait for the next append are in none of them. The lag of \`projection\` is how far the views are behind.
- **Kafka and MongoDB** have exporters of their own for what happens inside them.

A scrape configuration for the embedded engine, on the same machine:

\`\`\`yaml
scrape_configs:
  - job_name: wellspring
    static_configs:
      - targets: ['127.0.0.1:3000']
\`\`\`

Useful alerts: \`wellspring_stage_healthy == 0\`, \`wellspring_stage_lag_seconds > 60\`, \`increase(wellspring_delivery_parked_total[1h]) > 0\`, \`wellspring_alerts > 0\`.
`;

export async function metricsPage(): Promise<string> {
  const { prettier: style } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8')) as { prettier: object };
  const tables = familyGroups.map(([title, families]) => `## ${title}\n\n${table(families)}`);
  return prettier.format([introduction, ...tables].join('\n\n'), { ...style, parser: 'markdown' });
}

/** The page in the working tree. */
export const committedPage = (): string => readFileSync(new URL(path, root), 'utf8');

function table(families: readonly Family[]): string {
  const rows = families.map(
    (family) => `| \`${family.name}\` | ${family.type} | ${unitOf(family)} | ${labels(family)} | ${family.help} |`,
  );
  return ['| metric | type | unit | labels | means |', '| --- | --- | --- | --- | --- |', ...rows].join('\n');
}

/** The last word of the name, as usual for Prometheus; a count has no unit. */
export function unitOf({ name }: Pick<Family, 'name'>): string {
  return /_(seconds|bytes)(_total)?$/.exec(name)?.[1] ?? '';
}

function labels({ labels: declared }: Family): string {
  const texts = Object.entries(declared).map(([name, values]) =>
    typeof values === 'string'
      ? `\`${name}\`: ${values}`
      : `\`${name}\`: ${values.map((value) => `\`${value}\``).join(', ')}`,
  );
  return texts.join('<br>');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(new URL(path, root), await metricsPage());
