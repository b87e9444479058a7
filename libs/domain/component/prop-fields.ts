// The fields of a prop in a manifest, each with its kind of value: the sandbox picks these, and the log checks them.
import type { Json, JsonObject } from '../json.ts';

interface Kinds {
  readonly string: string;
  readonly boolean: boolean;
  readonly number: number;
  readonly json: Json;
  readonly list: readonly Json[];
  readonly object: JsonObject;
}
export type FieldKind = keyof Kinds;

/** The fields besides `name` and `type` (docs/reference/component-api.md, "The definition of a component"). */
export const propFields = {
  label: 'string',
  description: 'string',
  optional: 'boolean',
  default: 'json',
  options: 'list',
  /** `options` is a function. */
  remoteOptions: 'boolean',
  /** The component reads `{ label, value }` instead of the value alone. */
  withLabel: 'boolean',
  secret: 'boolean',
  min: 'number',
  max: 'number',
  customResponse: 'boolean',
  /** Slug, for `type: 'app'`. */
  app: 'string',
  /** A fixed interface setting that users cannot edit. */
  static: 'object',
  /** A change of its value can change which props there are: `additionalProps` must be called again. */
  reloadProps: 'boolean',
  /** It comes from `additionalProps`. */
  dynamic: 'boolean',
  hidden: 'boolean',
  disabled: 'boolean',
  /** Its options are searched by the user's input. */
  useQuery: 'boolean',
  /** 'info', 'neutral', 'warning' or 'error', for `type: 'alert'`. */
  alertType: 'string',
  /** Markdown that an alert shows. */
  content: 'string',
  /** Name of the prop with the app, for `type: '$.interface.apphook'`. */
  appProp: 'string',
  /** The names of the app's events that it takes. */
  eventNames: 'list',
  /** `eventNames` is a function. */
  remoteEventNames: 'boolean',
  /** 'file-ref': a path or a URL. */
  format: 'string',
  /** 'read', 'write' or 'read-write', for `type: 'dir'`. */
  accessMode: 'string',
  /** Whether the hosted service copies the folder before and after a run, for `type: 'dir'`. */
  sync: 'boolean',
} as const satisfies Record<string, FieldKind>;

export type PropFields = {
  readonly [Field in keyof typeof propFields]?: Kinds[(typeof propFields)[Field]];
};

export const propFieldNames = Object.keys(propFields) as readonly (keyof PropFields)[];
