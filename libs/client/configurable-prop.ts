// A prop as its component declares it.

export interface ConfigurableProp {
  readonly name: string;
  readonly type: string;
  readonly label?: string;
  readonly description?: string;
  readonly optional?: boolean;
  readonly secret?: boolean;
  readonly default?: unknown;
  /** Each a value, or `{ label, value }`. */
  readonly options?: readonly unknown[];
  /** Its options are a function of the component. */
  readonly remoteOptions?: boolean;
  /** Its options are searched by what somebody types. */
  readonly useQuery?: boolean;
  /** Other values of it may mean other props. */
  readonly reloadProps?: boolean;
  /** It comes from `additionalProps`. */
  readonly dynamic?: boolean;
  /** The component reads `{ label, value }`. */
  readonly withLabel?: boolean;
  /** Slug of the app whose accounts it takes, for the type `app`. */
  readonly app?: string;
  /** What the type `alert` shows, in Markdown. */
  readonly content?: string;
  readonly alertType?: string;
  readonly min?: number;
  readonly max?: number;
  /** A fixed interface setting that nobody may edit. */
  readonly static?: unknown;
  readonly hidden?: boolean;
  readonly disabled?: boolean;
}
