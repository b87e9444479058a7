// A saved component as the API shows it (docs/reference/component-api.md, "Saved components as records").
import type { Manifest } from '../../../../domain/component/manifest.ts';
import { programOfView } from '../../../../domain/views/index.ts';
import type { ComponentCodeView, ComponentView } from '../../../../domain/views/index.ts';
import { epochSeconds } from '../epoch-seconds.ts';
import { presentProgram } from '../code/program.presenter.ts';
import type { ComponentRecord, ComponentSummaryRecord } from './component-record.dto.ts';

export function presentSummary({
  componentId,
  userId,
  key,
  codeHash,
  manifest,
  createdAt,
  updatedAt,
  isPublished,
}: ComponentView): ComponentSummaryRecord {
  const { name, version, description = null, props } = manifest as unknown as Manifest;
  return {
    id: componentId,
    user_id: userId,
    key: key === '' ? null : key,
    name,
    version,
    description,
    published: isPublished === 'yes',
    code_hash: codeHash,
    configurable_props: props,
    created_at: epochSeconds(createdAt),
    updated_at: epochSeconds(updatedAt),
  };
}

export function presentComponent(component: ComponentView, view: ComponentCodeView): ComponentRecord {
  return { ...presentSummary(component), ...presentProgram(programOfView(view)) };
}
