// Reads and checks named settings from the environment, and reports all problems at once.

/** Environment variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

export interface SettingTraits {
  /** Whether the value is never shown, not even when it is invalid. */
  readonly secret?: true;
  /** An unknown name that differs in at most this many letters counts as a misspelling; absent: none does. */
  readonly typosMax?: number;
  /** An empty value is invalid, instead of meaning not set. */
  readonly neverEmpty?: true;
}

/** Every problem, one per line: names the variable, the value found, and what to do. */
export class ConfigError extends Error {
  constructor(problems: readonly string[]) {
    super(`The configuration is refused:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
    this.name = 'ConfigError';
  }
}

export class Settings<Name extends string> {
  readonly #environment: Environment;
  readonly #traits: Readonly<Record<Name, SettingTraits>>;
  readonly #problems: string[];

  constructor(environment: Environment, traits: Readonly<Record<Name, SettingTraits>>) {
    this.#environment = environment;
    this.#traits = traits;
    this.#problems = misspellingsOf(environment, traits);
  }

  /** Returns the parsed variable, or `fallback` when not set. Errors of `parse` say what to enter. */
  value<T>(name: Name, fallback: T, parse: (text: string) => T): T {
    const text = this.#environment[name];
    if (text === undefined || (text === '' && this.#traits[name].neverEmpty !== true)) return fallback;
    try {
      return parse(text);
    } catch (error) {
      const found = this.#traits[name].secret
        ? `has ${text.length} characters`
        : `is ${JSON.stringify(withoutPassword(text))}`;
      this.#problems.push(`${name} ${found}: ${(error as Error).message}`);
      return fallback;
    }
  }

  /** Adds a problem that a single value does not show. */
  addProblem(name: Name, problem: string): void {
    this.#problems.push(`${name} ${problem}`);
  }

  /** Throws ConfigError if anything was wrong. */
  check(): void {
    if (this.#problems.length > 0) throw new ConfigError(this.#problems);
  }
}

/** Removes passwords, since a URL might contain one that does not belong there. */
const withoutPassword = (text: string): string => text.replace(/\/\/[^/?#]*@/g, '//...@');

/** The environment holds other programs' settings, too, so only names that almost match one of these are rejected. */
function misspellingsOf(environment: Environment, traits: Readonly<Record<string, SettingTraits>>): string[] {
  const names = Object.keys(traits);
  return Object.keys(environment).flatMap((found) => {
    if (names.includes(found)) return [];
    const name = names.find((known) => editDistance(found.toUpperCase(), known) <= (traits[known]?.typosMax ?? -1));
    return name === undefined ? [] : [`${found} is no setting: write ${name}, or remove it`];
  });
}

/** Levenshtein distance, not computed when the difference in length alone exceeds every bound. */
function editDistance(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > 2) return Infinity;
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1];
    for (const [j, other] of [...b].entries()) {
      const changed = (row[j] ?? 0) + (letter === other ? 0 : 1);
      next.push(Math.min(changed, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
