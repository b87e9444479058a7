// Egress: the only way out, behind the address guard.
export { EgressGuard } from './guard.ts';
export { OriginPools } from './pools.ts';
