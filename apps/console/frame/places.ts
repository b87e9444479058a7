// The pages that the navigation leads to.
import type { IconName } from '../parts/icons.tsx';

interface Place {
  readonly href: string;
  readonly name: string;
  readonly icon: IconName;
}

export const places: readonly Place[] = [
  { href: '/', name: 'Overview', icon: 'overview' },
  { href: '/sources', name: 'Sources', icon: 'source' },
  { href: '/webhooks', name: 'Webhooks', icon: 'webhook' },
  { href: '/subscriptions', name: 'Subscriptions', icon: 'subscription' },
];
