// The icons of the console, drawn in the colour of the text.

const paths = {
  overview: 'M4 13h6V4H4zM14 20h6v-9h-6zM4 20h6v-3H4zM14 7h6V4h-6z',
  source: 'M13 3 5 14h6l-1 7 8-11h-6z',
  webhook: 'M4 12h11M11 7l5 5-5 5M20 5v14',
  subscription: 'M6 6h7a4 4 0 0 1 0 8H9a3 3 0 0 0 0 6h9M3.5 6h.01M20.5 20h.01',
  delivery: 'M4 7l8-4 8 4v10l-8 4-8-4zM4 7l8 4 8-4M12 11v10',
  key: 'M14.5 9.5a4.5 4.5 0 1 1-4-4.47M11 12l-7 7v1h4v-2h2v-2h1.5',
  component: 'M4 4h7v7H4zM13 13h7v7h-7zM16.5 4v7M13 7.5h7M4 13h7v7H4z',
  account: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4 20.5c1-4 4-5.5 8-5.5s7 1.5 8 5.5',
  store:
    'M5 6.5C5 5 8 4 12 4s7 1 7 2.5S16 9 12 9 5 8 5 6.5zM5 6.5v11C5 19 8 20 12 20s7-1 7-2.5v-11M5 12c0 1.5 3 2.5 7 2.5s7-1 7-2.5',
  activity: 'M3 12h4l3-8 4 16 3-8h4',
  search: 'M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13zM15.5 15.5 20 20',
  leave: 'M14 4H6v16h8M11 12h9M17 8l4 4-4 4',
  check: 'M5 12.5l4.5 4.5L19 7',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  warning: 'M12 4 2.8 20h18.4zM12 10v5M12 17.5v.01',
} as const;

export type IconName = keyof typeof paths;

export const Icon = ({ name, size = 18 }: { readonly name: IconName; readonly size?: number }): React.ReactNode => (
  <svg
    viewBox="0 0 24 24"
    width={size}
    height={size}
    fill="none"
    stroke="currentColor"
    strokeWidth="1.8"
    strokeLinecap="round"
    strokeLinejoin="round"
    aria-hidden="true"
  >
    <path d={paths[name]} />
  </svg>
);
