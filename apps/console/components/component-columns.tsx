// The columns of lists of components.
import { Link } from 'wouter';
import type { ComponentSummary } from '../api/records.ts';
import { Ago } from '../parts/now.tsx';
import type { Column } from '../parts/table.tsx';
import { Tag } from '../parts/tag.tsx';

export const componentColumns: readonly Column<ComponentSummary>[] = [
  {
    name: 'Name',
    cell: ({ id, name, key }) => (
      <>
        <Link href={`/components/${id}`} className="row-link clip">
          {name}
        </Link>
        <span className="dim mono">{key ?? id}</span>
      </>
    ),
  },
  { name: 'Version', cell: ({ version }) => <span className="mono">{version}</span> },
  { name: 'Published', cell: ({ published }) => (published ? <Tag tone="good">published</Tag> : '–') },
  { name: 'Saved', cell: ({ created_at }) => <Ago ms={created_at * 1_000} /> },
];
