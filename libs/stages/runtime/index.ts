// What engines and apps use of the runtime stage.
export { RuntimeStage } from './runtime.stage.ts';
export { RuntimeModule } from './runtime.module.ts';
