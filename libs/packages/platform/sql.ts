// Methods that the apps of SQL databases spread into their own and then replace with what their database needs.
import { ConfigurationError } from './configuration-error.ts';

function missing(method: string): never {
  throw new ConfigurationError(`The app does not say how to ${method}: it must define a method ${method}`);
}

interface Query {
  readonly query?: string;
  readonly sql?: string;
  readonly params?: readonly unknown[];
  readonly values?: readonly unknown[];
}

const clientConfiguration = {
  /** What the database's client is opened with. */
  getClientConfiguration: (): never => missing('getClientConfiguration'),
};

export const sqlProp = {
  methods: {
    ...clientConfiguration,
    /** Rows that a prepared statement gives. */
    executeQuery: (): never => missing('executeQuery'),
    /** Tables by name, with their columns. */
    getSchema: (): never => missing('getSchema'),
  },
};

export const sqlProxy = {
  methods: {
    ...clientConfiguration,
    /** A statement in the words of a client, as its text and its values in order. */
    proxyAdapter: (statement: Query): { readonly query: string; readonly params: readonly unknown[] } => ({
      query: statement.query ?? statement.sql ?? '',
      params: statement.params ?? statement.values ?? [],
    }),
  },
};
