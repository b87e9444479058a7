// What boot uses of the gateway.
export { configureGateway, createGatewayAdapter } from './configure.ts';
export { endpointUrl } from './endpoint/endpoint-url.ts';
export { firstKeyFile } from './first-key.ts';
export type { GatewayLimits, GatewayOptions } from './gateway-options.ts';
export { GatewayModule } from './gateway.module.ts';
export { Gateway } from './gateway.ts';
