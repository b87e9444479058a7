// What boot uses of the gateway.
export { gatewayServerOptions } from './configure.ts';
export { firstKeyFile } from './first-key.ts';
export { GatewayModule } from './gateway.module.ts';
