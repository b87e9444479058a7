// Notifications about changes, in a corner of the page; earlier ones are shown once this part is loaded.
import type { ReactNode } from 'react';
import { Notifications } from '@mantine/notifications';

const shownMax = 4;
/** A notice shows all of its text, unless the window is too low for it. */
const heightMax = '80vh';

export const Notices = (): ReactNode => (
  <Notifications position="bottom-right" limit={shownMax} notificationMaxHeight={heightMax} />
);
