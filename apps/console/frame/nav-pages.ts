// The pages in the navigation.
import type { IconName } from '../parts/icons.tsx';

interface NavPage {
  readonly href: string;
  readonly name: string;
  readonly icon: IconName;
}

export const navPages: readonly NavPage[] = [
  { href: '/', name: 'Overview', icon: 'overview' },
  { href: '/sources', name: 'Sources', icon: 'source' },
  { href: '/webhooks', name: 'Webhooks', icon: 'webhook' },
  { href: '/subscriptions', name: 'Subscriptions', icon: 'subscription' },
  { href: '/deliveries', name: 'Deliveries', icon: 'delivery' },
  { href: '/parked', name: 'Parked', icon: 'warning' },
  { href: '/components', name: 'Components', icon: 'component' },
  { href: '/accounts', name: 'Accounts', icon: 'account' },
  { href: '/data-stores', name: 'Data stores', icon: 'store' },
  { href: '/activity', name: 'Activity', icon: 'activity' },
  { href: '/api-keys', name: 'API keys', icon: 'key' },
];
