// Who may import whom (ARCHITECTURE.md, "The nevers"), as rules that a machine checks; types count as imports.

/** Tests, contract suites and fakes may reach across. */
const tests = String.raw`\.(spec|contract|fake)\.ts$|/(contract|spec)/|^test/`;
const port = 'log|view-store|sandbox|packages|webhooks';
/**
 * What stands beside a port, what every adapter of the log appends and reads with, and the list of packages that the
 * service provides: none knows a technology.
 */
const neutral = String.raw`^libs/((${port})/[^/]+|log/(appending|reading)/[^/]+|packages/platform/provided)\.ts$`;
/** Barrels that do. */
const namesAdapters = String.raw`^libs/webhooks/index\.ts$`;

/** Everything in this project but what is named, and the primitives, which all but the domain may use. */
const ours = (...allowed) => ({ path: '^(libs|apps|test)/', pathNot: ['^libs/primitives/', ...allowed] });

const client = (name, home, reason) => ({
  name: `${name}-has-one-home`,
  comment: `${name} is imported in ${home} only: ${reason}.`,
  severity: 'error',
  from: { pathNot: [`^${home}/`, tests] },
  to: { path: `(^|/)node_modules/${name}/` },
});

export default {
  forbidden: [
    {
      name: 'no-loops',
      comment: 'A loop of imports has no first file to read; types count.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'everything-resolves',
      comment: 'An import that resolves to nothing fails at run time; the guest is resolved by its bundler.',
      severity: 'error',
      from: { pathNot: '^libs/sandbox/isolated-vm/guest/' },
      to: { couldNotResolve: true },
    },
    {
      name: 'the-product-needs-no-test-code',
      comment: 'What is deployed imports no spec, contract suite or fake, and nothing under test/.',
      severity: 'error',
      from: { path: '^(libs|apps)/', pathNot: tests },
      to: { path: tests },
    },
    {
      name: 'the-product-needs-no-dev-dependencies',
      comment:
        'What is deployed runs on the dependencies, not on the devDependencies; the console is bundled with what it needs.',
      severity: 'error',
      from: { path: '^(libs|apps)/', pathNot: ['^apps/console/', tests] },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'domain-is-pure',
      comment:
        'The domain imports itself, what auditors verify with, node:crypto, the calculation of cron times and the parser of forms: no clock, no I/O, no framework.',
      severity: 'error',
      from: { path: '^libs/domain/', pathNot: tests },
      to: {
        pathNot: [
          '^libs/(domain|verifier)/',
          '^(node:)?crypto$',
          '(^|/)node_modules/(croner|@remix-run/multipart-parser)/',
        ],
      },
    },
    {
      name: 'the-verifier-stands-alone',
      comment: 'Auditors run it without the service and without trust in it: it imports itself and Node alone.',
      severity: 'error',
      from: { path: '^libs/verifier/', pathNot: tests },
      to: { pathNot: ['^libs/verifier/', '^(node:)?(crypto|fs|readline|stream|zlib)(/promises)?$'] },
    },
    {
      name: 'primitives-stand-alone',
      comment: 'What times and queues are made of knows nothing of events, ports or stages.',
      severity: 'error',
      from: { path: '^libs/primitives/', pathNot: tests },
      to: ours(),
    },
    {
      name: 'stages-know-no-technology',
      comment: 'A stage imports the domain, the loop and port files; never an adapter, an engine or another stage.',
      severity: 'error',
      from: { path: '^libs/stages/([^/]+)/', pathNot: tests },
      to: ours('^libs/(domain|verifier)/', '^libs/stages/($1|loop)/', String.raw`^libs/(${port})/[^/]+\.ts$`),
    },
    {
      name: 'what-a-gateway-knows-is-no-http',
      comment: 'Keys, registries and outcomes are followed on the log; requests and answers are built on them.',
      severity: 'error',
      from: { path: '^libs/stages/gateway/control/', pathNot: tests },
      to: { path: '^libs/stages/gateway/(admission|endpoint|http|openapi|publish|records|rest|server|streams)/' },
    },
    {
      name: 'requests-are-answered-with-parts',
      comment: 'A place names the few parts of the gateway that it needs (`Parts<...>`), and is not given the whole.',
      severity: 'error',
      from: { path: '^libs/stages/gateway/[^/]+/', pathNot: tests },
      to: { path: String.raw`^libs/stages/gateway/gateway\.ts$` },
    },
    {
      name: 'stages-reach-no-adapter',
      comment:
        'A stage process of one engine must not load the clients of another. By the other rules only barrels that name adapters ' +
        'lead to them, so it is these few files, and those that adapters alone need, to which a way is looked for.',
      severity: 'error',
      from: { path: '^libs/stages/', pathNot: tests },
      to: {
        path: [namesAdapters, String.raw`^libs/(log/(appending|reading)/[^/]+|packages/platform/provided)\.ts$`],
        reachable: true,
      },
    },
    {
      name: 'ports-know-no-adapter',
      comment: 'A port imports the domain and other ports; only the barrel of webhooks names adapters, for engines.',
      severity: 'error',
      from: { path: neutral, pathNot: [namesAdapters, tests] },
      to: ours('^libs/domain/', neutral),
    },
    {
      name: 'adapters-know-no-other-adapter',
      comment: 'An adapter imports port files, the domain and egress; never another adapter or a stage.',
      severity: 'error',
      from: { path: `^libs/(${port})/([^/]+)/`, pathNot: [neutral, tests] },
      to: ours('^libs/domain/', '^libs/egress/', neutral, '^libs/$1/$2/'),
    },
    {
      name: 'egress-and-client-stand-alone',
      comment: 'Egress and the client import the domain at most.',
      severity: 'error',
      from: { path: '^libs/(egress|client)/', pathNot: tests },
      to: ours('^libs/domain/', '^libs/$1/'),
    },
    {
      name: 'engines-name-adapters',
      comment: 'An engine imports ports, adapters, egress, the domain and the stage loop that it boots; no stage.',
      severity: 'error',
      from: { path: '^libs/engines/', pathNot: tests },
      to: ours('^libs/engines/', `^libs/(${port}|egress|domain)/`, '^libs/stages/loop/'),
    },
    {
      name: 'apps-are-an-engine-plus-stages',
      comment: 'An app imports engines and what a stage folder shows at its top.',
      severity: 'error',
      from: { path: '^apps/([^/]+)/', pathNot: ['^apps/(cli|console)/', tests] },
      to: ours('^apps/$1/', '^libs/engines/', String.raw`^libs/stages/[^/]+/[^/]+\.ts$`),
    },
    {
      name: 'the-command-line-is-a-client',
      comment:
        '`pd` knows of the service what its typed client and the verifier show: it runs where the service does not.',
      severity: 'error',
      from: { path: '^apps/cli/', pathNot: tests },
      to: ours('^apps/cli/', '^libs/(client|verifier)/'),
    },
    {
      name: 'the-console-is-a-client',
      comment: 'The console knows of the service the types of the API; the client itself is for Node.',
      severity: 'error',
      from: { path: '^apps/console/', pathNot: tests },
      to: ours('^apps/console/', String.raw`^libs/client/.*(index|records|requests|configurable-prop)\.ts$`),
    },
    {
      name: 'the-console-takes-types-alone',
      comment: 'What it imported of the client would bring axios into the browser.',
      severity: 'error',
      from: { path: '^apps/console/', pathNot: tests },
      to: { path: '^libs/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'nobody-imports-an-app',
      comment: 'Apps are started, not imported; docs/cli.md is made from the commands of one.',
      severity: 'error',
      from: { pathNot: ['^apps/', '^test/form/cli/'] },
      to: { path: '^apps/' },
    },
    client(
      'croner',
      'libs/domain/timer',
      'what a cron expression means is said in one place, and no clock is read for it',
    ),
    client('@remix-run/multipart-parser', 'libs/domain/component/http', 'a form is read in one place'),
    client('isolated-vm', 'libs/sandbox/isolated-vm', 'V8 isolates live in the sandbox alone'),
    client('better-sqlite3', 'libs/(log|view-store)/sqlite', 'SQLite is one technology behind two ports'),
    client('undici', 'libs/egress', 'every call that leaves the system passes the address guard'),
    client(
      'axios',
      '(libs/client|libs/packages/platform)',
      'it serves the typed client and what components import, not the delivery path',
    ),
    client('kafkajs', 'libs/log/kafka', 'Kafka is one technology behind the log'),
    client('mongodb', 'libs/view-store/mongo', 'MongoDB is one technology behind the view store'),
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(dist|node_modules)/' },
    enhancedResolveOptions: {
      extensions: ['.ts', '.tsx', '.mjs', '.js', '.d.ts'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default'],
    },
  },
};
