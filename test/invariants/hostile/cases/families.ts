// All hostile cases, grouped by what they attack.
import type { Attack, ComponentAttack, RequestAttack } from './attack.ts';
import { bridges } from './components/bridge.ts';
import { compiles } from './components/compile.ts';
import { cryptos } from './components/crypto.ts';
import { dbs } from './components/db.ts';
import { emits } from './components/emit.ts';
import { manifests } from './components/manifest.ts';
import { networks } from './components/network.ts';
import { consoles, errors } from './components/output.ts';
import { props } from './components/props.ts';
import { responses } from './components/respond.ts';
import { killing, runaways } from './components/runaway.ts';
import { bodies } from './requests/body.ts';
import { headers } from './requests/header.ts';
import { queries } from './requests/query.ts';

export interface NamedFamily {
  readonly name: string;
  readonly attacks: readonly Attack[];
  /** How many run at a time if a family shares a service. */
  readonly atOnce: number;
  /** They write to the log, so they are requested again after a restart. */
  readonly remain: boolean;
}

/** For cases that cost little; more at once would only measure this machine. */
const harmless = 4;

export const written: NamedFamily = {
  name: 'what runs write',
  attacks: [...emits, ...dbs],
  atOnce: harmless,
  remain: true,
};

const declarations: readonly ComponentAttack[] = [...manifests, ...props];
/** Refused by the sandbox or by the rules for props, before anything is stored. */
const isRefused = ({ expected: said }: ComponentAttack): boolean => 'deploy' in said && said.deploy === 'refused';

export const declared: NamedFamily = {
  name: 'what components declare',
  attacks: declarations.filter((one) => !isRefused(one)),
  atOnce: harmless,
  remain: true,
};

export const told: NamedFamily = {
  name: 'what runs tell',
  attacks: [...networks, ...consoles, ...errors, ...responses, ...bridges],
  atOnce: harmless,
  remain: false,
};

const requests: readonly RequestAttack[] = [...queries, ...bodies, ...headers];
/** Cases that are written to the log if they are accepted. */
const isWrittenToEventLog = ({ name }: RequestAttack): boolean => /^endpoint:|^query: configured_props/.test(name);

export const triggering: NamedFamily = {
  name: 'what goes onto the log',
  attacks: requests.filter(isWrittenToEventLog),
  atOnce: harmless,
  remain: false,
};

export const requested: NamedFamily = {
  name: 'what callers send',
  attacks: [...requests.filter((request) => !isWrittenToEventLog(request)), ...declarations.filter(isRefused)],
  atOnce: harmless,
  remain: false,
};

export const computed: NamedFamily = {
  name: 'what runs use up',
  attacks: [...cryptos, ...runaways],
  atOnce: harmless,
  remain: false,
};

export const deadly: NamedFamily = {
  name: 'what ends processes',
  attacks: killing,
  atOnce: harmless,
  remain: false,
};

export const compiled: NamedFamily = {
  name: 'what is compiled',
  attacks: compiles,
  atOnce: 1,
  remain: false,
};

export const families: readonly NamedFamily[] = [
  written,
  declared,
  triggering,
  requested,
  told,
  computed,
  deadly,
  compiled,
];
