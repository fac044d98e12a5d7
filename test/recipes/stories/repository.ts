import { at, storm, type Story } from '../story.ts';
import { released, run } from '../webhooks.ts';

export const TEAM = '4915112345678';

const ci = { workflow: 1, name: 'CI', title: 'Round totals once, at the end' };
const nightly = { workflow: 2, name: 'Nightly', title: 'Nightly' };
const search = { workflow: 3, name: 'Search', title: 'Faster search' };
const many = (n: number) => ({ workflow: 100 + n, name: `Package ${n + 1}`, title: 'Update the base image' });

/** Forty workflows break at once on Wednesday, and one fails at random on Friday. */
export const repository: Story = {
  recipe: 'repository',
  title: 'A week of a repository: broken, fixed, released',
  phones: { [TEAM]: 'The team' },
  posts: [
    at('Mon 10:00', run({ ...ci, run: 1, is: 'failure' })),
    at('Mon 10:20', run({ ...ci, run: 2, is: 'failure' })),
    at('Mon 11:05', run({ ...ci, run: 3, is: 'success' })),
    at('Tue 02:00', run({ ...nightly, run: 4, is: 'failure' })),
    at('Tue 03:00', run({ ...nightly, run: 5, is: 'success' })),
    at('Tue 04:00', run({ ...search, run: 6, is: 'failure' })),
    at('Tue 09:10', run({ ...search, run: 7, is: 'success' })),
    ...storm('Wed 09:00', { count: 40, everyMs: 1_000 }, (n) =>
      run({ ...many(n), run: 200 + n, is: 'failure' }),
    ),
    ...storm('Wed 09:40', { count: 40, everyMs: 1_000 }, (n) =>
      run({ ...many(n), run: 300 + n, is: 'success' }),
    ),
    at('Thu 15:00', released()),
    at('Thu 17:30', { ...released(), what: 'version 2.4, redelivered by hand' }),
    at('Fri 10:00', run({ ...ci, run: 10, is: 'failure' })),
    at('Fri 10:10', run({ ...ci, run: 11, is: 'success' })),
    at('Fri 10:20', run({ ...ci, run: 12, is: 'failure' })),
    at('Fri 10:30', run({ ...ci, run: 13, is: 'success' })),
    at('Fri 10:40', run({ ...ci, run: 14, is: 'failure' })),
    at('Fri 10:50', run({ ...ci, run: 15, is: 'success' })),
    at('Fri 11:00', run({ ...ci, run: 16, is: 'failure' })),
    at('Fri 11:10', run({ ...ci, run: 17, is: 'success' })),
    at('Sat 09:00', run({ ...ci, run: 16, is: 'failure' }, ', a day late')),
  ],
};
