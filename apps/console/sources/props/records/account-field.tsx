// The field of an app prop: an existing account of the app, or a new one, connected without leaving the form.
import type { ReactNode } from 'react';
import { ConnectAccount } from '../../../accounts/connect-account.tsx';
import { useList } from '../../../api/paging.ts';
import type { Account, ConfigurableProp } from '../../../api/records.ts';
import { withDistinctLabels } from '../../../parts/search/distinct-labels.ts';
import { RecordField } from './record-field.tsx';
import type { RecordFieldProps } from './record-field.tsx';

/** Any further account is shown by its id. */
const accountsShown = 100;

interface AccountFieldProps extends RecordFieldProps {
  readonly prop: ConfigurableProp;
}

export function AccountField({ prop: { app }, fieldProps, ...field }: AccountFieldProps): ReactNode {
  const list = useList<Account>('/v1/accounts', { query: { app, limit: accountsShown } });
  const choices = withDistinctLabels(
    list.items.map(({ id, name, app: recordApp }) => ({ value: id, label: name ?? `${recordApp.name} (${id})` })),
  );
  const appLabel = app ?? 'this app';
  const isEmpty = choices.length === 0 && !list.isLoading && list.error === null;
  return (
    <RecordField
      {...field}
      fieldProps={{ ...fieldProps, description: fieldProps.description ?? `An account of ${appLabel}.` }}
      choices={choices}
      placeholder={isEmpty ? `No account of ${appLabel} yet` : 'Choose an account'}
      createLabels={{ button: 'Connect an account', title: `Connect an account of ${appLabel}` }}
      renderForm={(done) => <ConnectAccount {...(app === undefined ? {} : { app })} onDone={done} />}
    />
  );
}
