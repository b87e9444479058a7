// Commands, events and definitions about accounts, which hold the credentials with which components call an app.
import type { MadeBy, Repeatable } from '../definition/messages.ts';
import type { MessageOf } from '../message.ts';
import type { Sealed } from '../secrets/sealed.ts';

/** A JSON object of texts, sealed as one: the `$auth` of the components that use the account. */
export interface SealedCredentials {
  readonly credentials: Sealed;
  /** Names of its fields, which are no secret. */
  readonly fields: readonly string[];
}

export interface NewAccount extends SealedCredentials {
  readonly accountId: string;
  readonly userId: string;
  /** Slug, as in `app` of a component's app prop. */
  readonly app: string;
  readonly name: string | null;
}

/** Absent fields keep their values; credentials are replaced as a whole. */
export interface AccountChanges extends Partial<SealedCredentials> {
  readonly name?: string | null;
}

export type AccountCommand = MessageOf<{
  CreateAccount: Repeatable & NewAccount;
  UpdateAccount: AccountChanges & { readonly accountId: string };
  DeleteAccount: {
    readonly accountId: string;
    /** Also while sources use it: their runs fail from then on. */
    readonly force?: boolean;
  };
}>;

export type AccountRefusal =
  | 'repeated'
  | 'idempotency_conflict'
  | 'account_not_found'
  /** Sources use it. */
  | 'account_in_use'
  /** The workspace has as many accounts as it is allowed. */
  | 'too_many_accounts'
  /** The command on the log cannot be read; nothing was done. */
  | 'malformed';

interface Refused {
  readonly accountId: string;
  readonly reason: AccountRefusal;
  readonly message: string;
}

/** A source that uses an account. */
export interface UsingSource {
  readonly id: string;
  /** Its slug; null: it has none yet. */
  readonly name: string | null;
}

/** On `connections`. */
export type AccountEvent = MessageOf<{
  AccountCreated: Repeatable & NewAccount;
  AccountCreateRefused: Refused & {
    /** With `repeated`: the account that the same request made before. */
    readonly existingId?: string;
  };
  AccountUpdated: AccountChanges & { readonly accountId: string };
  AccountUpdateRefused: Refused;
  AccountDeleted: { readonly accountId: string; readonly createdAt: number };
  AccountDeleteRefused: Refused & {
    /** With `account_in_use`: the first of those that use it. */
    readonly sources?: readonly UsingSource[];
  };
}>;

/** On `accounts`, compacted by account id; without data: it was deleted. */
export type AccountDefinition = MessageOf<{
  AccountDefined: NewAccount & {
    readonly createdAt: number;
    readonly madeBy: MadeBy | null;
  };
}>;
