// The type of a prop as its component declares it.

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
  /** Its options are searched by the text that the user enters. */
  readonly useQuery?: boolean;
  /** With another value the component can have other props. */
  readonly reloadProps?: boolean;
  /** It comes from `additionalProps`. */
  readonly dynamic?: boolean;
  /** The component reads the value as `{ label, value }`. */
  readonly withLabel?: boolean;
  /** Slug of the app whose accounts it accepts, for the type `app`. */
  readonly app?: string;
  /** The text that the type `alert` shows, in Markdown. */
  readonly content?: string;
  readonly alertType?: string;
  readonly min?: number;
  readonly max?: number;
  /** A fixed interface setting that users cannot edit. */
  readonly static?: unknown;
  readonly hidden?: boolean;
  readonly disabled?: boolean;
}
