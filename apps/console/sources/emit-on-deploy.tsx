// Whether a source emits when it is deployed: many components then give what there is already, such as the last ten items.
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
