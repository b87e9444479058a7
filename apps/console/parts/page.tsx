// The layout of a page: its title, which is also the tab's, its path, its actions, tabs and cards.
import { useEffect } from 'react';
import type { ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import { isolateBidi } from './format.ts';
import { useCurrentInView } from './hooks/current-in-view.ts';

interface PageProps {
  readonly title: string;
  /** Shown next to the title, such as a state. */
  readonly badge?: ReactNode;
  readonly lead?: ReactNode;
  readonly parent?: { readonly href: string; readonly name: string };
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

export function Page({ title, badge, lead, parent, actions, children }: PageProps): ReactNode {
  useEffect(() => {
    document.title = `${isolateBidi(title)} · Wellspring`;
  }, [title]);
  return (
    <div className="page">
      <header className="page-head">
        <div>
          {parent === undefined ? null : (
            <Link href={parent.href} className="crumb">
              ← {parent.name}
            </Link>
          )}
          <h1>
            {title}
            {badge}
          </h1>
          {lead === undefined ? null : <p>{lead}</p>}
        </div>
        {actions === undefined ? null : <div className="actions">{actions}</div>}
      </header>
      {children}
    </div>
  );
}

interface Tab {
  readonly href: string;
  readonly name: string;
}

/** Tabs are links, so that each has its own address. */
export function Tabs({ label, tabs }: { readonly label: string; readonly tabs: readonly Tab[] }): ReactNode {
  const [location] = useLocation();
  const row = useCurrentInView<HTMLElement>(location);
  return (
    <nav className="tabs" aria-label={label} ref={row}>
      {tabs.map(({ href, name }) => (
        <Link key={href} href={href} aria-current={location === href ? 'page' : undefined}>
          {name}
        </Link>
      ))}
    </nav>
  );
}

interface CardProps {
  readonly title?: string;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
  /** Without padding, so that lists reach the edge. */
  readonly flush?: boolean;
}

export const Card = ({ title, actions, children, flush = false }: CardProps): ReactNode => (
  <section className="card">
    {title === undefined && actions === undefined ? null : (
      <div className="card-head">
        {title === undefined ? null : <h2>{title}</h2>}
        {actions}
      </div>
    )}
    {flush ? children : <div className="card-body">{children}</div>}
  </section>
);

export function Facts({ facts }: { readonly facts: Readonly<Record<string, ReactNode>> }): ReactNode {
  return (
    <dl className="facts">
      {Object.entries(facts).map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
