// Props of type `app`: they name a connected account, and nothing connects accounts yet.
import type { Checked, PropType } from './prop-type.ts';

const noAccounts = (app: string | undefined): Checked => ({
  problem: `needs a connected account of the app ${app ?? 'it names'}, and connected accounts are not supported yet`,
});

export const appProp: PropType = {
  check: (_value, { app }) => noAccounts(app),
  unset: ({ optional, app }) => (optional === true ? { value: undefined } : noAccounts(app)),
};
