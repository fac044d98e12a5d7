/** Every page that the navigation and its pages lead to, but those of one thing. */
export const PAGES_OF_THE_CONSOLE = [
  '/',
  '/events',
  '/messages',
  '/sources',
  '/sources/add',
  '/sources/add/github',
  '/templates',
  '/send',
  '/recipients',
  '/accounts',
  '/rejections',
  '/versions',
  '/sessions',
  '/doctor',
] as const;
