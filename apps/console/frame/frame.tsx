// The frame of every page: navigation, signing out, and a notice when the service does not answer.
import { useRef } from 'react';
import type { ReactNode } from 'react';
import { MantineThemeProvider } from '@mantine/core';
import type { MantineThemeOverride } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { Link, useLocation } from 'wouter';
import { useHealth } from '../api/health.ts';
import { problemOf } from '../api/problem.ts';
import { useCanWrite } from '../api/signed-in.ts';
import { signOut } from '../api/session.ts';
import { PageAnnouncer } from './page-announcer.tsx';
import { forgetSession } from './forget-session.ts';
import { useCurrentInView } from '../parts/hooks/current-in-view.ts';
import { forgetUnsavedInput } from '../parts/hooks/unsaved.ts';
import { lazyPart } from '../parts/lazy-part.tsx';
import { Icon } from '../parts/icons.tsx';
import { useShortcuts } from './shortcuts.ts';
import { Palette, usePalette } from './palette/palette.tsx';
import { navPages } from './nav-pages.ts';

/** Dialogs listen to Escape wherever the focus is. */
const themeOfHidden: MantineThemeOverride = { components: { Modal: { defaultProps: { closeOnEscape: false } } } };
const themeOfShown: MantineThemeOverride = {};

const Notices = lazyPart(async () => (await import('./notices.tsx')).Notices, { placeholder: null });

interface FrameProps {
  /** The page waits behind the sign-in, and no key that is pressed there acts on it. */
  readonly isHidden: boolean;
  readonly children: ReactNode;
}

export function Frame({ isHidden, children }: FrameProps): ReactNode {
  const main = useRef<HTMLElement>(null);
  const palette = usePalette({ isListening: !isHidden });
  useShortcuts({ isListening: !isHidden });
  return (
    <MantineThemeProvider theme={isHidden ? themeOfHidden : themeOfShown}>
      <a
        className="skip"
        href="#main"
        onClick={(event) => {
          event.preventDefault();
          main.current?.focus();
        }}
      >
        Skip to the page
      </a>
      <div className="frame">
        <Sidebar onSearch={palette.open} />
        <div>
          <HealthBanner />
          <main className="main" id="main" ref={main} tabIndex={-1}>
            {children}
          </main>
        </div>
      </div>
      <PageAnnouncer />
      <Notices.Part />
      <Palette opened={palette.opened} close={palette.close} />
    </MantineThemeProvider>
  );
}

function Sidebar({ onSearch }: { readonly onSearch: () => void }): ReactNode {
  const queries = useQueryClient();
  const [location] = useLocation();
  const sidebar = useCurrentInView<HTMLElement>(location);
  const endSession = (): void => {
    forgetUnsavedInput();
    void signOut()
      .catch((error: unknown) => {
        if (problemOf(error).status !== 401) throw error;
      })
      .then(
        () => forgetSession(queries),
        // The session's cookie is still valid: a reload would show the pages again, to whoever uses this browser then.
        (error: unknown) =>
          notifications.show({ color: 'red', title: 'Not signed out', message: problemOf(error).message }),
      );
  };
  return (
    <header className="side" ref={sidebar}>
      <Link href="/" className="brand" aria-label="Wellspring, overview">
        <img src="/favicon.svg" alt="" />
        <span>Wellspring</span>
      </Link>
      <nav aria-label="Pages">
        <ul>
          {navPages.map(({ href, name, icon }) => (
            <li key={href}>
              <Link className="side-link" href={href} aria-current={isCurrentPage(location, href) ? 'page' : undefined}>
                <Icon name={icon} />
                {name}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      {useCanWrite() ? null : (
        <p className="side-note" title="The API key that you are signed in with may change nothing.">
          Read only
        </p>
      )}
      <button type="button" className="side-link" onClick={onSearch}>
        <Icon name="search" />
        Go to
        <kbd>Ctrl K</kbd>
      </button>
      <button type="button" className="side-link" onClick={endSession}>
        <Icon name="leave" />
        Sign out
      </button>
    </header>
  );
}

const isCurrentPage = (location: string, href: string): boolean =>
  href === '/' ? location === '/' : location === href || location.startsWith(`${href}/`);

function HealthBanner(): ReactNode {
  const { data } = useHealth();
  if (data === undefined || data.status === 'ok') return <div role="status" />;
  const text =
    data.status === 'unreachable'
      ? 'The service does not answer. What is shown may be out of date; it is tried again every few seconds.'
      : 'A part of the service does not make progress at the moment. Nothing is lost: what was accepted is on the log.';
  return (
    <div className="banner" role="status">
      {text}
    </div>
  );
}
