// Parses the deployment files: compose.yml, the manifests and the example environment file.
import { readdirSync, readFileSync } from 'node:fs';
import { parse, parseAllDocuments } from 'yaml';

const deploy = new URL('../../../deploy/', import.meta.url);
export const deployFile = (path: string): string => readFileSync(new URL(path, deploy), 'utf8');

export interface ComposeService {
  readonly image: string;
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly networks: readonly string[];
  readonly volumes?: readonly string[];
  readonly tmpfs?: readonly string[];
  readonly restart: string;
  readonly mem_limit: string;
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly healthcheck: { readonly test: readonly string[] };
}

export interface Compose {
  readonly services: Readonly<Record<string, ComposeService>>;
}

/** compose.yml with anchors and merges resolved. */
export const compose = (): Compose => parse(deployFile('compose.yml'), { merge: true }) as Compose;

interface Probe {
  readonly httpGet: { readonly path: string; readonly port: string };
}

export interface Container {
  readonly name: string;
  readonly image: string;
  readonly command: readonly string[];
  readonly ports?: readonly { readonly name: string; readonly containerPort: number }[];
  readonly envFrom?: readonly Readonly<Record<string, { readonly name: string }>>[];
  readonly startupProbe?: Probe;
  readonly readinessProbe?: Probe;
  readonly livenessProbe?: Probe;
  readonly resources: Readonly<Record<'requests' | 'limits', { readonly cpu?: string; readonly memory?: string }>>;
  readonly securityContext: object;
  readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[];
}

interface PodSpec {
  readonly automountServiceAccountToken: boolean;
  readonly securityContext: object;
  readonly initContainers?: readonly Container[];
  readonly containers: readonly Container[];
  readonly volumes: readonly { readonly name: string; readonly emptyDir?: { readonly sizeLimit: string } }[];
}

export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly data?: Readonly<Record<string, string>>;
  readonly spec: {
    readonly replicas: number;
    readonly selector: object;
    readonly ports: readonly { readonly targetPort: string }[];
    readonly template: {
      readonly metadata: { readonly labels: object; readonly annotations: object };
      readonly spec: PodSpec;
    };
  };
}

/** All documents of all manifests. */
export const manifests = (): readonly Manifest[] =>
  readdirSync(new URL('kubernetes/', deploy))
    .filter((name) => name.endsWith('.yaml'))
    .flatMap((name) => parseAllDocuments(deployFile(`kubernetes/${name}`)).map((one) => one.toJS() as Manifest));

/** The variables of a file with `NAME=value` lines. */
export const variablesOf = (text: string): Record<string, string> =>
  Object.fromEntries([...text.matchAll(/^([A-Z_]+)=(.*)$/gm)].map(([, name, value]) => [name, value]));
