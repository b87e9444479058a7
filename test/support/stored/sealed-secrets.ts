// The secrets of a story are those that it had sealed: found on its log, opened, and looked for wherever it stored or printed.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { LogRecord } from '../../../libs/domain/message.ts';
import { formsOf } from '../../../libs/domain/secrets/forms.ts';
import { Keyring } from '../../../libs/domain/workspace/keyring.ts';
import { collectSecrets } from '../../../libs/domain/secrets/mask.ts';
import { isSealed, unseal } from '../../../libs/domain/secrets/seal.ts';
import type { Product } from '../product.ts';
import { stored } from './stored.ts';

/** Where keys, headers of webhooks and props are sealed; what runs were called with may also be what they emitted. */
const sealing = /^(commands|components|listeners|connections|accounts|webhooks|sources)\//;
/** Shorter ones are words that stand elsewhere, too. */
const charsMin = 12;

const percentForms = (secret: string): readonly string[] => {
  const percent = encodeURIComponent(secret.toWellFormed());
  return [percent, percent.replaceAll('%20', '+'), percent.replace(/%../g, (code) => code.toLowerCase())];
};

/** The places of an ended product where one of its secrets can be read. */
export async function leaksOf(product: Product): Promise<readonly string[]> {
  const places = new Map(await stored(product.dataDir));
  const secrets = [await product.apiKey(), await textOf(product, 'master-key'), ...(await sealedIn(product, places))];
  places.set('output', product.output);
  const forms = new Set(secrets.flatMap((secret) => [...formsOf(secret, charsMin), ...percentForms(secret)]));
  return [...places].filter(([, text]) => [...forms].some((form) => text.includes(form))).map(([place]) => place);
}

async function sealedIn(product: Product, places: ReadonlyMap<string, string>): Promise<readonly string[]> {
  const keyring = new Keyring(Buffer.from(await textOf(product, 'master-key'), 'base64'));
  for (const record of recordsIn(places, /^keys\//)) keyring.take(record);
  const found = new Set<string>();
  for (const { workspace, data } of recordsIn(places, sealing)) {
    const dataKey = keyring.dataKey(workspace);
    if (dataKey === undefined) continue;
    JSON.stringify(data, (name, value: unknown) => {
      if (!isSealed(value)) return value;
      const secret = unseal(dataKey, value, workspace);
      // Of props, which are sealed whole when they come, not each is a secret.
      const texts = name === 'credentials' || typeof secret === 'string' ? collectSecrets(secret) : [];
      for (const one of texts) if (one.length >= charsMin) found.add(one);
      return undefined;
    });
  }
  return [...found];
}

const recordsIn = (places: ReadonlyMap<string, string>, topics: RegExp): readonly LogRecord[] =>
  [...places].filter(([place]) => topics.test(place)).flatMap(([, text]) => JSON.parse(text) as LogRecord[]);

const textOf = async ({ dataDir }: Product, file: string): Promise<string> =>
  (await readFile(join(dataDir, file), 'utf8')).trim();
