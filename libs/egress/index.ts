// Sends every outgoing request of the service, behind the address guard.
export { EgressGuard } from './guard.ts';
export type { EgressMap } from './guard.ts';
export type { EgressProxy } from './tunnel.ts';
export { connectFailureOf, isUpgraded } from './connect-failure.ts';
export type { Connection } from './connection.ts';
export { OriginPools } from './pools.ts';
export { Requester } from './requests/requester.ts';
export type { Answer } from './requests/answer.ts';
export type { Part } from './requests/answer-body.ts';
export type { Field, OutgoingRequest } from './requests/outgoing-request.ts';
