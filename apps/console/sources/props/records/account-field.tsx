// The field of an app prop: an existing account of the app, or a new one, connected without leaving the form.
import type { ReactNode } from 'react';
import { ConnectAccount } from '../../../accounts/connect-account.tsx';
import { useList } from '../../../api/paging.ts';
import type { Account, ConfigurableProp } from '../../../api/records.ts';
import { toldApart } from '../../../parts/search/told-apart.ts';
import { RecordField } from './record-field.tsx';
import type { RecordFieldProps } from './record-field.tsx';

/** Any further account is shown by its id. */
const accountsShown = 100;

interface AccountFieldProps extends RecordFieldProps {
  readonly prop: ConfigurableProp;
}

export function AccountField({ prop: { app }, said, ...field }: AccountFieldProps): ReactNode {
  const list = useList<Account>('/v1/accounts', { query: { app, limit: accountsShown } });
  const listed = toldApart(
    list.items.map(({ id, name, app: of }) => ({ value: id, label: name ?? `${of.name} (${id})` })),
  );
  const what = app ?? 'this app';
  const isNone = listed.length === 0 && !list.isLoading && list.error === null;
  return (
    <RecordField
      {...field}
      said={{ ...said, description: said.description ?? `An account of ${what}.` }}
      listed={listed}
      placeholder={isNone ? `No account of ${what} yet` : 'Choose an account'}
      making={{ button: 'Connect an account', title: `Connect an account of ${what}` }}
      form={(done) => <ConnectAccount {...(app === undefined ? {} : { app })} onDone={done} />}
    />
  );
}
