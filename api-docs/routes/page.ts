/** The meaning of the parameters of every list. */
export const PAGE = {
  limit: 'The maximum number of items in a page.',
  cursor: 'Where to continue: the `next_cursor` of the page before.',
} as const;
