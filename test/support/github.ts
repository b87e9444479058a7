// Makes requests as GitHub sends them, from its real payloads (npm @octokit/webhooks-examples, all its API versions).
import { createHash, createHmac } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

export interface GitHubDelivery {
  readonly id: string;
  readonly name: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

interface Example {
  readonly name: string;
  readonly examples: readonly unknown[];
}

/** The event that the component emits for each. */
export interface GitHubEvent {
  readonly delivery: string;
  readonly name: string;
  readonly payload: unknown;
}

const packageDir = dirname(dirname(createRequire(import.meta.url).resolve('@octokit/webhooks-examples')));

/** All payloads, each with its own delivery id, signed with `secret`. */
export function gitHubDeliveries(secret: string): GitHubDelivery[] {
  const versions = readdirSync(packageDir).filter((name) => /^(api\.github\.com|ghes-)/.test(name));
  return versions.sort().flatMap((version) => {
    const examples = JSON.parse(readFileSync(join(packageDir, version, 'index.json'), 'utf8')) as Example[];
    return examples.flatMap(({ name, examples: payloads }) =>
      payloads.map((payload, index) => createDelivery({ name, payload, seed: `${version}/${name}/${index}`, secret })),
    );
  });
}

function createDelivery(example: { name: string; payload: unknown; seed: string; secret: string }): GitHubDelivery {
  const body = JSON.stringify(example.payload);
  const hash = createHash('sha256').update(example.seed).digest('hex');
  const id = [hash.slice(0, 8), hash.slice(8, 12), hash.slice(12, 16), hash.slice(16, 20), hash.slice(20, 32)].join(
    '-',
  );
  return {
    id,
    name: example.name,
    body,
    headers: {
      'content-type': 'application/json',
      'user-agent': 'GitHub-Hookshot/044aadd',
      'x-github-delivery': id,
      'x-github-event': example.name,
      'x-github-hook-id': '292430182',
      'x-hub-signature-256': `sha256=${createHmac('sha256', example.secret).update(body).digest('hex')}`,
    },
  };
}
