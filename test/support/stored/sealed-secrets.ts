// Opens the secrets that a product has sealed on its log, and searches everything that it stored or printed for them.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { LogRecord } from '../../../libs/domain/message.ts';
import { formsOf } from '../../../libs/domain/secrets/forms.ts';
import { Keyring } from '../../../libs/domain/workspace/keyring.ts';
import { collectSecrets } from '../../../libs/domain/secrets/mask.ts';
import { isSealed, unseal } from '../../../libs/domain/secrets/seal.ts';
import type { Product } from '../product.ts';
import { readStoredTexts } from './stored-texts.ts';

/** Topics with sealed keys, headers and props. Those with triggers are left out: runs can emit what they got. */
const sealingTopics = /^(commands|components|listeners|connections|accounts|webhooks|sources)\//;
/** Shorter ones are words that occur elsewhere too. */
const charsMin = 12;

const percentForms = (secret: string): readonly string[] => {
  const percent = encodeURIComponent(secret.toWellFormed());
  return [percent, percent.replaceAll('%20', '+'), percent.replace(/%../g, (code) => code.toLowerCase())];
};

/** The places where a secret of an ended product can be read. */
export async function leaksOf(product: Product): Promise<readonly string[]> {
  const storedTexts = new Map(await readStoredTexts(product.dataDir));
  const secrets = [
    await product.apiKey(),
    await textOf(product, 'master-key'),
    ...(await unsealedSecrets(product, storedTexts)),
  ];
  storedTexts.set('output', product.output);
  const forms = new Set(secrets.flatMap((secret) => [...formsOf(secret, charsMin), ...percentForms(secret)]));
  return [...storedTexts]
    .filter(([, text]) => [...forms].some((form) => text.includes(form)))
    .map(([location]) => location);
}

async function unsealedSecrets(product: Product, storedTexts: ReadonlyMap<string, string>): Promise<readonly string[]> {
  const keyring = new Keyring(Buffer.from(await textOf(product, 'master-key'), 'base64'));
  for (const record of recordsIn(storedTexts, /^keys\//)) keyring.tryAccept(record);
  const found = new Set<string>();
  for (const { workspace, data } of recordsIn(storedTexts, sealingTopics)) {
    const dataKey = keyring.dataKey(workspace);
    if (dataKey === undefined) continue;
    JSON.stringify(data, (name, value: unknown) => {
      if (!isSealed(value)) return value;
      const secret = unseal(dataKey, value, workspace);
      // Props are sealed as a whole when they arrive, so not each of them is a secret.
      const texts = name === 'credentials' || typeof secret === 'string' ? collectSecrets(secret) : [];
      for (const one of texts) if (one.length >= charsMin) found.add(one);
      return undefined;
    });
  }
  return [...found];
}

const recordsIn = (storedTexts: ReadonlyMap<string, string>, topics: RegExp): readonly LogRecord[] =>
  [...storedTexts].filter(([location]) => topics.test(location)).flatMap(([, text]) => JSON.parse(text) as LogRecord[]);

const textOf = async ({ dataDir }: Product, file: string): Promise<string> =>
  (await readFile(join(dataDir, file), 'utf8')).trim();
