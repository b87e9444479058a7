// Finds the tier of a component in the component API's statistics, by what it and the files that it reaches import.
import { isBuiltin } from 'node:module';
import { build } from 'esbuild';

export const tiers = ['T0', 'T1', 'T2', 'T2b', 'T3', 'T4'] as const;
export type Tier = (typeof tiers)[number];

const tierPatterns: readonly (readonly [Tier, RegExp])[] = [
  ['T0', /^@pipedream(hq)?\/(platform|types)$/],
  ['T1', /^(crypto|crypto-js|uuid|uuidv4|nanoid|md5|buffer)$/],
  [
    'T2',
    /^(lodash(\.[a-z]+|-es)?|moment(-timezone)?|dayjs|bottleneck|async-retry|qs|query-string|mime(-db|-types)?|inflection|oauth-1\.0a|fast-xml-parser|html-to-text|axios|showdown|turndown|xml-js|util|url|path|querystring|timers|events|assert|string_decoder)$/,
  ],
  ['T2b', /^@pipedream\//],
  [
    'T4',
    /^(shopify-api-node|@shopify\/.+|googleapis|@googleapis\/.+|google-auth-library|@aws-sdk\/.+|aws-sdk|pg|mysql2?|mssql|mongodb|snowflake-sdk|@slack\/web-api|feedparser|ssh2(-.+)?|nodemailer|imapflow|twilio|@mailchimp\/.+|puppeteer.*|@sparticuz\/.+|net|tls|dns|dgram|http2|child_process|worker_threads|cluster|vm)$/,
  ],
];

/** The highest tier of its imports; a package in no list counts as the client of a service. */
export function tierOf(imports: Iterable<string>): Tier {
  const found = [...imports].map((name) => tierPatterns.find(([, pattern]) => pattern.test(name))?.[0] ?? 'T3');
  return tiers.findLast((tier) => found.includes(tier)) ?? 'T0';
}

/** Packages and Node modules that a component's files import; `fileOf` finds files of other components' packages. */
export async function importsOf(
  entry: string,
  fileOf: (specifier: string) => string | undefined,
): Promise<ReadonlySet<string>> {
  const imports = new Set<string>();
  await build({
    entryPoints: [entry],
    bundle: true,
    write: false,
    platform: 'node',
    format: 'esm',
    logLevel: 'silent',
    plugins: [
      {
        name: 'note-imports',
        setup({ onResolve }) {
          onResolve({ filter: /^[^./]/ }, ({ path, kind }) => {
            if (kind === 'entry-point') return undefined;
            imports.add(packageOf(path));
            const file = fileOf(path);
            return file === undefined ? { path, external: true } : { path: file };
          });
        },
      },
    ],
  });
  return imports;
}

/** The name without version and path: `@acme/app` of `@acme/app@1.0.0/sources/a.mjs`. */
export function packageOf(specifier: string): string {
  const bare = specifier.replace(/^node:/, '');
  if (isBuiltin(bare)) return bare.split('/')[0] ?? bare;
  return /^(@[^/]+\/)?[^/@]+/.exec(bare)?.[0] ?? bare;
}
