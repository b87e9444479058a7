// Starts the console in the browser, a client of the REST API alone.
import './styles/mantine.css';
import './styles/theme.css';
import './styles/frame.css';
import './styles/parts.css';
import './styles/forms.css';
import './styles/narrow.css';
import './styles/media.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { MantineProvider, createTheme } from '@mantine/core';
import type { ModalProps, NotificationProps } from '@mantine/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { Problem } from './api/problem.ts';
import { Console } from './frame/console.tsx';

/** Data no older than this is not requested again when another part of a page needs it. */
const freshMs = 2_000;
const retriesMax = 2;

const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: freshMs,
      // Only a missing answer is worth a retry: the service would repeat an answer that it has given.
      retry: (failures, error) => failures < retriesMax && error instanceof Problem && error.code === 'no_answer',
      // A browser that believes it is offline still reaches a service on the same machine.
      networkMode: 'always',
    },
    mutations: { networkMode: 'always' },
  },
});

/** The library's scroll lock would add a style tag, which the content security policy forbids. */
const dialogs: Partial<ModalProps> = {
  lockScroll: false,
  centered: true,
  radius: 'lg',
  closeButtonProps: { 'aria-label': 'Close' },
};
const notices: Partial<NotificationProps> = { closeButtonProps: { 'aria-label': 'Dismiss' } };

/** Components are given by name: importing them would load the dialogs before one is opened. */
const theme = createTheme({
  primaryColor: 'well',
  primaryShade: 7,
  colors: {
    well: [
      '#e6f5f6',
      '#cdeaed',
      '#a2d8dd',
      '#72c3ca',
      '#45acb6',
      '#2497a3',
      '#12838f',
      '#0b6e79',
      '#085b65',
      '#04464e',
    ],
  },
  components: { Modal: { defaultProps: dialogs }, Notification: { defaultProps: notices } },
});

const root = document.querySelector('#root');
if (root === null) throw new Error('the page has no root');
createRoot(root).render(
  <StrictMode>
    <MantineProvider theme={theme} defaultColorScheme="auto" withCssVariables={false} withGlobalClasses={false}>
      <QueryClientProvider client={queries}>
        <Console />
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);
