const PATHS = {
  now: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18z M12 7v5l3 2',
  incidents: 'M12 3a6 6 0 0 0-6 6v4l-2 4h16l-2-4V9a6 6 0 0 0-6-6z M10 20h4',
  silences: 'M12 3a6 6 0 0 0-6 6v4l-2 4h12 M10 20h4 M18 13V9a6 6 0 0 0-2-4.500 M4 3l16 18',
  events: 'M4 12h4l2-7 4 14 2-7h4',
  charts: 'M4 20V4 M4 20h16 M8 16l4-5 3 3 5-7',
  messages: 'M4 5h16v11H9l-5 4z',
  sources: 'M9 4v5 M15 4v5 M6 9h12v3a6 6 0 0 1-12 0z M12 18v3',
  templates: 'M5 4h14v16H5z M9 9h6 M9 13h6 M9 17h3',
  send: 'M4 12 20 4l-5 16-3-7z',
  recipients:
    'M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7z M2.5 20c.5-4 3-6 6.5-6s6 2 6.5 6 M16 5a3 3 0 0 1 0 6 M18 14c2 .7 3.2 2.6 3.5 6',
  onCall: 'M6 3h4l2 5-3 2a11 11 0 0 0 5 5l2-3 5 2v4a2 2 0 0 1-2 2A17 17 0 0 1 4 5a2 2 0 0 1 2-2z',
  accounts: 'M4 7h16v12H4z M4 11h16 M8 15h3',
  versions: 'M4 12a8 8 0 1 0 3-6.2 M4 4v4h4 M12 8v4.500l3 2',
  sessions: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8z M4 21c1-5 4-7 8-7s7 2 8 7',
  doctor: 'M5 3v6a5 5 0 0 0 10 0V3 M10 14v2a5 5 0 0 0 10 0v-2 M20 12a1 1 0 1 0 0-.01',
  rejections: 'M12 3 3 19h18z M12 9v5 M12 17v.01',
  menu: 'M4 7h16 M4 12h16 M4 17h16',
  copy: 'M9 9h11v11H9z M15 9V4H4v11h5',
  check: 'M5 12l5 5 9-10',
  close: 'M6 6l12 12 M18 6L6 18',
  retry: 'M20 11a8 8 0 1 0-2.3 6.3 M20 5v6h-6',
  pause: 'M8 5v14 M16 5v14',
  play: 'M7 4l13 8-13 8z',
  search: 'M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13z M15.5 15.5 20 20',
  chevron: 'M9 5l7 7-7 7',
  back: 'M15 5l-7 7 7 7',
  plus: 'M12 5v14 M5 12h14',
  download: 'M12 4v11 M7 11l5 5 5-5 M5 20h14',
  link: 'M10 14a4 4 0 0 0 6 .5l3-3a4 4 0 0 0-6-6l-1 1 M14 10a4 4 0 0 0-6-.5l-3 3a4 4 0 0 0 6 6l1-1',
  image: 'M4 5h16v14H4z M4 16l5-5 4 4 3-3 4 4 M15 9v.01',
  voice:
    'M12 4a2.5 2.5 0 0 0-2.5 2.500v5a2.5 2.5 0 0 0 5 0v-5A2.5 2.5 0 0 0 12 4z M6 11a6 6 0 0 0 12 0 M12 17v3',
  poll: 'M6 20V10 M12 20V4 M18 20v-7',
  eye: 'M2 12c3-5 6-7 10-7s7 2 10 7c-3 5-6 7-10 7s-7-2-10-7z M12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6z',
} as const;

export type IconName = keyof typeof PATHS;

/** Decoration beside a word; what it means is always written, too. */
export const Icon = ({ name }: { name: IconName }) => (
  <svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
    <path d={PATHS[name]} />
  </svg>
);

export const Logo = () => (
  <svg class="logo" viewBox="0 0 32 32" aria-hidden="true">
    <rect width="32" height="32" rx="9" fill="#5a4be0" />
    <path
      fill="#fff"
      d="M16 7a6 6 0 0 0-6 6v4.5l-2 3.5h16l-2-3.5V13a6 6 0 0 0-6-6zm-2.5 15.5a2.5 2.5 0 0 0 5 0z"
    />
  </svg>
);
