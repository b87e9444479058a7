import { existsSync } from 'node:fs';
import { stageNames } from '../../libs/domain/flow.ts';
import { distributedSummary, readDistributedConfig } from '../../libs/engines/distributed/config.ts';
import { installLimits } from '../../libs/packages/npm/install/installer-process.ts';
import { sweepLimits } from '../../libs/packages/npm/trees/sweep.ts';
import { compose, deployFile, manifests, variablesOf } from './deployment/files.ts';
import type { Container, Manifest } from './deployment/files.ts';
import { runSecretSteps } from './deployment/readme-secrets.ts';

const root = new URL('../../', import.meta.url);
const mongodbUrl = 'mongodb://user:pass$word@mongodb:27017/wellspring';
const masterKey = Buffer.alloc(32).toString('base64');
const { services } = compose();
const all = manifests();
const ofKind = (kind: string): readonly Manifest[] => all.filter((one) => one.kind === kind);
const stageOf = ({ metadata }: Manifest): string => metadata.name.replace('wellspring-', '');
const deployments = ofKind('Deployment');
const containers = deployments.flatMap(({ spec: { template } }) => [
  ...template.spec.containers,
  ...(template.spec.initContainers ?? []),
]);

const metricsAt = (port: number | undefined): Readonly<Record<string, string>> => ({
  'prometheus.io/scrape': 'true',
  'prometheus.io/port': String(port),
  'prometheus.io/path': '/metrics',
});

const apps = stageNames.map((stage) => [stage, ['node', `dist/run/${stage}.js`]] as const);

test.each(apps)('%s has an app, and a container in compose.yml and a Deployment that start it', (stage, command) => {
  expect(existsSync(new URL(`apps/${stage}/main.ts`, root))).toBe(true);
  expect(services[stage]?.command).toEqual(command);
  const deployment = deployments.find((one) => stageOf(one) === stage);
  expect(deployment?.spec.template.spec.containers.map((one) => one.command)).toEqual([command]);
});

describe('compose.yml', () => {
  test('runs the stages, one Kafka and one MongoDB, and nothing else', () => {
    expect(Object.keys(services).sort()).toEqual([...stageNames, 'kafka', 'mongodb'].sort());
    expect(services['kafka']?.image).toMatch(/^apache\/kafka:4\.\d+\.\d+$/);
    expect(services['mongodb']?.image).toBe('mongo:8');
  });

  test.each(Object.entries(services))(
    '%s is restarted when it ends, has a memory limit and a health check',
    (_, service) => {
      expect(service).toMatchObject({ restart: 'unless-stopped', mem_limit: expect.stringMatching(/^\d+[mg]$/) });
      expect(service.healthcheck.test[0]).toBe('CMD');
    },
  );

  test.each(stageNames)(
    '%s has its health check and metrics on its own port, a read-only root and no capabilities',
    (stage) => {
      const port = stage === 'gateway' ? 3000 : 8080;
      expect(services[stage]?.healthcheck.test.join(' ')).toContain(`http://127.0.0.1:${port}/health`);
      expect(services[stage]).toMatchObject({ read_only: true, cap_drop: ['ALL'] });
      expect(services[stage]).toMatchObject({ labels: metricsAt(port) });
    },
  );

  test('every app accepts its settings and a completed environment file', () => {
    const file = variablesOf(deployFile('wellspring.env.example'));
    for (const stage of stageNames) {
      const environment = { ...file, MASTER_KEY: masterKey, ...services[stage]?.environment };
      const config = readDistributedConfig(environment);
      expect(Object.keys(distributedSummary(config))).toEqual(expect.arrayContaining(Object.keys(environment)));
      expect(config.kafka).toMatchObject({ brokers: ['kafka:9092'], replicationFactor: 1, minInsyncReplicas: 1 });
    }
  });

  test("the projection can read the first API key on the gateway's volume", () => {
    expect(services['gateway']?.volumes).toEqual(['gateway:/data']);
    expect(services['projection']?.volumes).toEqual(['gateway:/data:ro']);
    expect(services['projection']?.tmpfs).toEqual(['/tmp']);
  });

  test('the runtime keeps packages on a volume, since a tmpfs would take them out of its memory', () => {
    expect(services['runtime']).toMatchObject({ volumes: ['runtime:/data'], tmpfs: ['/tmp'] });
  });

  test('only the gateway, the projection and MongoDB itself are on the network of the views', () => {
    const inside = Object.entries(services).filter(([, { networks }]) => networks.includes('views'));
    expect(inside.map(([name]) => name).sort()).toEqual(['gateway', 'mongodb', 'projection']);
  });
});

describe('the manifests', () => {
  test('give every app valid settings, and the commands in README.md keep secrets out of arguments', () => {
    const [settings] = ofKind('ConfigMap');
    const { wellspring, arguments: seen, ...others } = runSecretSteps(mongodbUrl);
    const config = readDistributedConfig({ ...settings?.data, ...variablesOf(wellspring ?? '') });
    expect(config.mongodbUrl).toBe(mongodbUrl);
    expect(Object.keys(distributedSummary(config))).toEqual(expect.arrayContaining(Object.keys(settings?.data ?? {})));
    expect(others).toEqual({ 'wellspring-api-key': expect.stringMatching(/^pd_[0-9a-f]{40}$/) });
    expect(config.metricsToken).toMatch(/^[0-9a-f]{64}$/);
    const secrets = [
      mongodbUrl,
      config.masterKey.toString('base64'),
      config.metricsToken ?? '',
      others['wellspring-api-key'] ?? '',
    ];
    expect(secrets.filter((secret) => seen?.includes(secret))).toEqual([]);
    for (const { spec } of deployments)
      expect(spec.template.spec.containers[0]?.envFrom).toEqual([
        { configMapRef: { name: settings?.metadata.name } },
        { secretRef: { name: 'wellspring' } },
      ]);
  });

  test.each(deployments.map((one) => [one.metadata.name, one] as const))(
    '%s runs in two pods with health probes and metrics on its own port',
    (_, one) => {
      const { spec } = one;
      const [container] = spec.template.spec.containers;
      expect(spec.replicas).toBe(2);
      const [port] = container?.ports ?? [];
      const [health, live] = ['/health', '/health/live'].map((path) => ({ path, port: port?.name }));
      expect(container?.startupProbe?.httpGet).toEqual(health);
      expect(container?.readinessProbe?.httpGet).toEqual(stageOf(one) === 'gateway' ? live : health);
      expect(container?.livenessProbe?.httpGet).toEqual(live);
      expect(port?.containerPort).toBe(port?.name === 'http' ? 3000 : 8080);
      expect(spec.template.metadata.annotations).toEqual(metricsAt(port?.containerPort));
    },
  );

  test.each(deployments.map((one) => [one.metadata.name, one] as const))(
    '%s runs as a user other than root, with the default seccomp profile and no service account token',
    (_, { spec }) => {
      expect(spec.template.spec).toMatchObject({
        automountServiceAccountToken: false,
        securityContext: { runAsNonRoot: true, runAsUser: 1000, seccompProfile: { type: 'RuntimeDefault' } },
      });
    },
  );

  test.each(containers.map((one) => [one.command.join(' '), one] as const))(
    '`%s` has a read-only root, no privileges and a memory limit, and mounts only volumes of its pod',
    (_, container: Container) => {
      expect(container).toMatchObject({
        securityContext: {
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        },
        resources: {
          requests: { cpu: expect.anything(), memory: expect.any(String) },
          limits: { memory: expect.any(String) },
        },
      });
      const pod = deployments.find(({ spec }) =>
        [...spec.template.spec.containers, ...(spec.template.spec.initContainers ?? [])].includes(container),
      );
      const volumes = pod?.spec.template.spec.volumes.map(({ name }) => name);
      expect(volumes).toEqual(expect.arrayContaining(container.volumeMounts.map(({ name }) => name)));
    },
  );

  test('the projection and the gateway get the first API key from the same secret', () => {
    const projection = deployments.find((one) => stageOf(one) === 'projection')?.spec.template.spec;
    const gateway = deployments.find((one) => stageOf(one) === 'gateway')?.spec.template.spec;
    const mounted = projection?.containers[0]?.volumeMounts.find(({ mountPath }) => mountPath === '/data');
    expect(mounted).toEqual({ name: 'secret', mountPath: '/data', readOnly: true });
    const secretOf = (pod: typeof gateway): unknown => pod?.volumes.find(({ name }) => name === 'secret');
    expect(secretOf(projection)).toEqual(secretOf(gateway));
    expect(gateway?.initContainers?.[0]?.command).toEqual(['cp', '--force', '/secret/api-key', '/data/api-key']);
  });

  test('the runtime has room for all packages that it keeps: a pod above the limit of a volume is evicted', () => {
    const runtime = deployments.find((one) => stageOf(one) === 'runtime')?.spec.template.spec;
    const limit = runtime?.volumes.find(({ name }) => name === 'data')?.emptyDir?.sizeLimit ?? '';
    expect(limit).toMatch(/^\d+Gi$/);
    // What is in use stays up to twice the bound.
    const keptBytes = 2 * (sweepLimits.treeBytes + sweepLimits.npmBytes);
    const underWayBytes = installLimits.unpackedBytes + installLimits.fetchedBytes;
    expect(Number.parseInt(limit) * 1024 ** 3).toBeGreaterThan(keptBytes + underWayBytes);
  });

  test('each Deployment and its disruption budget select its own pods', () => {
    for (const deployment of deployments) {
      const own = { matchLabels: deployment.spec.template.metadata.labels };
      const budget = ofKind('PodDisruptionBudget').find(({ metadata }) => metadata.name === deployment.metadata.name);
      expect(deployment.spec.selector).toEqual(own);
      expect(budget?.spec).toEqual({ maxUnavailable: 1, selector: own });
    }
    const labels = deployments.map(({ spec }) => JSON.stringify(spec.template.metadata.labels));
    expect(new Set(labels).size).toBe(stageNames.length);
  });

  test("the Service targets the gateway's port", () => {
    const [service] = ofKind('Service');
    const gateway = deployments.find((one) => stageOf(one) === 'gateway');
    expect(service?.spec.selector).toEqual(gateway?.spec.template.metadata.labels);
    const ports = gateway?.spec.template.spec.containers[0]?.ports?.map(({ name }) => name);
    expect(service?.spec.ports.map(({ targetPort }) => targetPort)).toEqual(ports);
  });

  test('write the mode of secret files so that YAML readers get 288, which is 0440', () => {
    expect(
      manifests()
        .map((one) => JSON.stringify(one))
        .join(''),
    ).toContain('"defaultMode":288');
  });
});

describe('the image', () => {
  const dockerfile = deployFile('Dockerfile');

  test('copies only paths that exist and that Dockerfile.dockerignore lets into the build', () => {
    const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.*) \S+$/gm)].flatMap(
      ([, paths]) => paths?.split(' ') ?? [],
    );
    expect(copied.length).toBeGreaterThan(5);
    expect(copied.filter((path) => !existsSync(new URL(path, root)))).toEqual([]);
    const sent = deployFile('Dockerfile.dockerignore').split('\n');
    expect(copied.filter((path) => !sent.includes(`!${path}`))).toEqual([]);
  });

  test('is built from the lock file without install scripts, and does not run as root', () => {
    expect(dockerfile).toContain('npm ci --ignore-scripts');
    expect(dockerfile.match(/^USER (\S+)$/m)?.[1]).toBe('1000:1000');
  });
});
