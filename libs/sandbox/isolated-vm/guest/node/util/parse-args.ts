// util.parseArgs: parses options and positionals as Node does. A component has no command line, so without `args` there
// are none.
interface OptionConfig {
  readonly type?: unknown;
  readonly short?: unknown;
  readonly multiple?: unknown;
  readonly default?: unknown;
}

type Options = Readonly<Record<string, OptionConfig>>;

interface Config {
  readonly args?: readonly string[];
  readonly strict?: boolean;
  readonly allowPositionals?: boolean;
  readonly allowNegative?: boolean;
  readonly tokens?: boolean;
  readonly options?: Options;
}

interface OptionToken {
  readonly kind: 'option';
  name: string;
  readonly rawName: string;
  readonly index: number;
  readonly value: string | undefined;
  readonly inlineValue: boolean | undefined;
}

type Token =
  | OptionToken
  | { readonly kind: 'positional'; readonly index: number; readonly value: string }
  | { readonly kind: 'option-terminator'; readonly index: number };

const typeError = (message: string, code: string): Error => Object.assign(new TypeError(message), { code });
const wrongType = (name: string, wanted: string): Error =>
  typeError(`The "${name}" argument must be of type ${wanted}`, 'ERR_INVALID_ARG_TYPE');
const wrongValue = (message: string): Error => typeError(message, 'ERR_PARSE_ARGS_INVALID_OPTION_VALUE');

const configOf = (options: Options, name: string): OptionConfig =>
  Object.hasOwn(options, name) ? (options[name] ?? {}) : {};

function checkOption(name: string, config: OptionConfig): void {
  const optionPath = `options.${name}`;
  if (typeof config !== 'object' || config === null) throw wrongType(optionPath, 'object');
  const { type, short, multiple, default: defaultValue } = config;
  if (type !== 'string' && type !== 'boolean') throw wrongType(`${optionPath}.type`, "('string|boolean')");
  if (Object.hasOwn(config, 'short')) {
    if (typeof short !== 'string') throw wrongType(`${optionPath}.short`, 'string');
    if (short.length !== 1)
      throw typeError(`The argument '${optionPath}.short' must be a single character`, 'ERR_INVALID_ARG_VALUE');
  }
  if (Object.hasOwn(config, 'multiple') && typeof multiple !== 'boolean')
    throw wrongType(`${optionPath}.multiple`, 'boolean');
  if (defaultValue === undefined) return;
  const values: readonly unknown[] = multiple === true ? (defaultValue as unknown[]) : [defaultValue];
  if (!Array.isArray(values) || values.some((value) => typeof value !== type))
    throw wrongType(`${optionPath}.default`, multiple === true ? `${type}[]` : type);
}

class ArgumentReader {
  readonly tokens: Token[] = [];
  readonly #args: readonly string[];
  readonly #options: Options;
  #index = 0;

  constructor(args: readonly string[], options: Options) {
    this.#args = args;
    this.#options = options;
  }

  read(): readonly Token[] {
    for (; this.#index < this.#args.length; this.#index++) {
      const arg = this.#args[this.#index] ?? '';
      if (arg === '--') return this.#readPositionals();
      if (arg.startsWith('--')) this.#readLong(arg);
      else if (arg.startsWith('-') && arg.length > 1) this.#readShorts(arg);
      else this.tokens.push({ kind: 'positional', index: this.#index, value: arg });
    }
    return this.tokens;
  }

  #readPositionals(): readonly Token[] {
    this.tokens.push({ kind: 'option-terminator', index: this.#index });
    const rest = this.#args.slice(this.#index + 1);
    const from = this.#index + 1;
    return [...this.tokens, ...rest.map((value, at) => ({ kind: 'positional', index: from + at, value }) as const)];
  }

  #readLong(arg: string): void {
    const equals = arg.indexOf('=', 3);
    const name = equals < 0 ? arg.slice(2) : arg.slice(2, equals);
    if (equals < 0) this.#push(name, arg);
    else this.#push(name, `--${name}`, arg.slice(equals + 1));
  }

  /** Reads `-f`, `-abf` and `-abfFILE`. */
  #readShorts(arg: string): void {
    const index = this.#index;
    for (let at = 1; at < arg.length; at++) {
      const short = arg[at] ?? '';
      const match = Object.entries(this.#options).find(([, config]) => config.short === short);
      const name = match?.[0] ?? short;
      if (configOf(this.#options, name).type === 'string' && at < arg.length - 1) {
        this.#push(name, `-${short}`, arg.slice(at + 1), index);
        return;
      }
      this.#push(name, `-${short}`, undefined, index);
    }
  }

  /** Adds an option with its value, which can be the next argument. */
  #push(name: string, rawName: string, inline?: string, index = this.#index): void {
    const takesNext = inline === undefined && configOf(this.#options, name).type === 'string';
    const next = takesNext ? this.#args[this.#index + 1] : undefined;
    if (next !== undefined) this.#index++;
    const inlineValue = inline === undefined ? (next === undefined ? undefined : false) : true;
    this.tokens.push({ kind: 'option', name, rawName, index, value: inline ?? next, inlineValue });
  }
}

function checkUsage({ name, rawName, value, inlineValue }: OptionToken, config: Required<Config>): void {
  const { options, allowNegative, allowPositionals } = config;
  const isNegated = !Object.hasOwn(options, name) && allowNegative && name.startsWith('no-');
  const optionName = isNegated ? name.slice(3) : name;
  if (!Object.hasOwn(options, optionName) || (isNegated && configOf(options, optionName).type !== 'boolean')) {
    const advice = allowPositionals
      ? `. To specify a positional argument starting with a '-', place it at the end of the command after '--', as in '-- "${rawName}"`
      : '';
    throw typeError(`Unknown option '${rawName}'${advice}`, 'ERR_PARSE_ARGS_UNKNOWN_OPTION');
  }
  const { type, short } = configOf(options, optionName);
  const usage = `${typeof short === 'string' ? `-${short}, ` : ''}--${optionName}`;
  if (type === 'string' && value === undefined) throw wrongValue(`Option '${usage} <value>' argument missing`);
  if (type === 'boolean' && value !== undefined) throw wrongValue(`Option '${usage}' does not take an argument`);
  if (inlineValue !== true && value !== undefined && value.length > 1 && value.startsWith('-'))
    throw wrongValue(
      `Option '${rawName}' argument is ambiguous.\nDid you forget to specify the option argument for '${rawName}'?\nTo specify an option argument starting with a dash use '${rawName.startsWith('--') ? rawName : `--${name}`}=-XYZ'.`,
    );
}

type Values = Record<string, unknown>;

function store(token: OptionToken, { options, allowNegative }: Required<Config>, values: Values): void {
  if (token.name === '__proto__') return;
  const isNegated = allowNegative && token.name.startsWith('no-') && token.value === undefined;
  if (isNegated) token.name = token.name.slice(3);
  const value = isNegated ? false : (token.value ?? true);
  const { name } = token;
  if (configOf(options, name).multiple === true)
    values[name] = [...((values[name] as unknown[] | undefined) ?? []), value];
  else values[name] = value;
}

function withDefaults(input: Config): Required<Config> {
  const { args = [], strict = true, tokens = false, allowNegative = false, options = {} } = input;
  const { allowPositionals = !strict } = input;
  if (!Array.isArray(args)) throw wrongType('args', 'Array');
  for (const [name, value] of Object.entries({ strict, allowPositionals, tokens, allowNegative }))
    if (typeof value !== 'boolean') throw wrongType(name, 'boolean');
  for (const [name, config] of Object.entries(options)) checkOption(name, config);
  return { args, strict, tokens, allowNegative, options, allowPositionals };
}

export function parseArgs(input: Config = {}): object {
  const config = withDefaults(input);
  const tokens = new ArgumentReader(config.args, config.options).read();
  const values = Object.create(null) as Values;
  const positionals: string[] = [];
  for (const token of tokens) {
    if (token.kind === 'option') {
      if (config.strict) checkUsage(token, config);
      store(token, config, values);
    } else if (token.kind === 'positional') {
      if (!config.allowPositionals)
        throw typeError(
          `Unexpected argument '${token.value}'. This command does not take positional arguments`,
          'ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL',
        );
      positionals.push(token.value);
    }
  }
  for (const [name, { default: value }] of Object.entries(config.options))
    if (value !== undefined && values[name] === undefined && name !== '__proto__') values[name] = value;
  return config.tokens ? { values, positionals, tokens } : { values, positionals };
}
