// A switch: whether a source emits on deploy, when many components emit existing items, such as the last ten.
import type { ReactNode } from 'react';
import { Checkbox } from '@mantine/core';

interface EmitOnDeployProps {
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
}

export const EmitOnDeploy = ({ checked, onChange }: EmitOnDeployProps): ReactNode => (
  <Checkbox
    label="Emit at deploys"
    description="Without this, what the hooks deploy and activate emit is dropped."
    checked={checked}
    onChange={({ currentTarget }) => onChange(currentTarget.checked)}
  />
);
