import { expect } from 'vitest';
import { DAY } from '../../../src/lib/time.ts';
import { MadeNothing } from '../../../src/outbox/notify/heartbeat.ts';
import { it } from '../it.ts';
import { accepted, draft, START } from '../support.ts';

/** An event of a source with these routes. */
const webhook = (routes: number, makes = false, source = 'shop') => ({
  event: accepted({ source }),
  messages: makes ? [draft()] : [],
  routes,
});

it('a source that makes nothing of its webhooks is told of at the second one, then daily, until it makes something or its routes change', ({
  sql,
}) => {
  let made = new MadeNothing(sql);
  const rows = [
    [webhook(1), 0, false],
    [webhook(1, false, 'other'), 0, false],
    [webhook(1), 1, true],
    [webhook(1), DAY, false],
    [webhook(1), DAY + 1, true],
    [webhook(2), DAY + 2, false],
    [webhook(2, true), DAY + 3, false],
    [webhook(2), 2 * DAY, false],
    [webhook(2), 4 * DAY, false],
    [webhook(3), 4 * DAY, false],
    [webhook(3), 4 * DAY, true],
    // A replay, or a press.
    [{ ...webhook(3), routes: undefined }, 9 * DAY, false],
  ] as const;
  for (const [index, [{ routes, ...rest }, at, isTold]] of rows.entries()) {
    const acceptance = { ...rest, ...(routes !== undefined && { routes }) };
    expect(made.count(acceptance, START + at), `row ${index}`).toBe(isTold);
    // The object is evicted in between.
    if (index % 2 === 0) made = new MadeNothing(sql);
  }
});
