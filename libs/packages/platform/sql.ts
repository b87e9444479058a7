// Methods that apps of SQL databases spread into their own, and then override for their database.
import { ConfigurationError } from './configuration-error.ts';

function throwUndefined(method: string): never {
  throw new ConfigurationError(`The app does not say how to ${method}: it must define a method ${method}`);
}

interface Query {
  readonly query?: string;
  readonly sql?: string;
  readonly params?: readonly unknown[];
  readonly values?: readonly unknown[];
}

const clientConfiguration = {
  /** The options for opening the database's client. */
  getClientConfiguration: (): never => throwUndefined('getClientConfiguration'),
};

export const sqlProp = {
  methods: {
    ...clientConfiguration,
    /** The rows of a prepared statement. */
    executeQuery: (): never => throwUndefined('executeQuery'),
    /** Tables by name, with their columns. */
    getSchema: (): never => throwUndefined('getSchema'),
  },
};

export const sqlProxy = {
  methods: {
    ...clientConfiguration,
    /** A client's statement as its text and its values in order. */
    proxyAdapter: (statement: Query): { readonly query: string; readonly params: readonly unknown[] } => ({
      query: statement.query ?? statement.sql ?? '',
      params: statement.params ?? statement.values ?? [],
    }),
  },
};
