// Edits the filter and the transform of a subscription, and tries them on the newest events while the user types.
import { useState } from 'react';
import type { ReactNode } from 'react';
import type { SubscriptionDetail } from '../../../api/records.ts';
import { useUnsaved } from '../../../parts/hooks/unsaved.ts';
import { FilterEditor } from './filter-editor.tsx';
import { parseFilter } from './filter-text.ts';
import { PreviewCard } from './preview.tsx';
import { TransformEditor } from './transform-editor.tsx';

export function FilterAndTransform({ subscription }: { readonly subscription: SubscriptionDetail }): ReactNode {
  const { filter } = subscription;
  const [text, setText] = useState(() => (filter === null ? '{}' : JSON.stringify(filter, null, 2)));
  const [transform, setTransform] = useState(subscription.transform);
  const read = parseFilter(text);
  const isFilterChanged = 'problem' in read || JSON.stringify(read.filter) !== JSON.stringify(filter);
  useUnsaved(isFilterChanged || transform !== subscription.transform);
  return (
    <div className="two">
      <div className="stacked">
        <FilterEditor subscriptionId={subscription.id} text={text} onChange={setText} />
        {subscription.listener_id.startsWith('wh_') ? (
          <TransformEditor subscription={subscription} text={transform} onChange={setTransform} />
        ) : null}
      </div>
      <PreviewCard subscription={subscription} read={read} transform={transform} />
    </div>
  );
}
