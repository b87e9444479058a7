// The delivery stage, for its module and the engines.
export { DeliveryStage, type DeliveryStageOptions } from './delivery.stage.ts';
