// What is said about changes in a corner of the page; what is said before this is loaded is shown then.
import type { ReactNode } from 'react';
import { Notifications } from '@mantine/notifications';

const shownMax = 4;

export const Notices = (): ReactNode => <Notifications position="bottom-right" limit={shownMax} />;
