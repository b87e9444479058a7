// The GitHub story's cast: a source, a receiver, a webhook on one channel and one on all.
import { readFile } from 'node:fs/promises';
import { createClient } from '../../libs/client/index.ts';
import type { Client } from '../../libs/client/index.ts';
import type { GitHubDelivery } from './github.ts';
import type { Product } from './product.ts';
import type { Receiver } from './receiver.ts';
import { pause } from './until.ts';

export const secret = 'it is a secret to everybody';
/** The event type that the webhook on one channel gets. */
export const oneChannel = 'pull_request';

export interface Scenario {
  readonly client: Client;
  readonly sourceId: string;
  readonly endpoint: string;
  readonly allKey: string;
  readonly oneKey: string;
}

export const gitHubComponent = (): Promise<string> =>
  readFile(new URL('../flow/components/github.js', import.meta.url), 'utf8');
