import { expect } from 'vitest';
import { en } from '../../console/texts/en.ts';
import { eventually } from '../eventually.ts';
import { violationsOf } from './support/axe.ts';
import { NO_PACE, postWebhook, publish, publishRoutes, textRoute } from './support/sources.ts';
import type { Stage } from './support/stage.ts';
import { heading, test } from './support/test.ts';

const GOOD = '4915100000101';
const WRONG = '4915100000102';
const ALERTS = 12;

let made: Promise<void> | undefined;

const traffic = (stage: Stage): Promise<void> => (made ??= post(stage));

/** Two messages that are sent, one that is refused, and a storm with one sent message. */
async function post(stage: Stage): Promise<void> {
  await publish(stage.admin, 'accounts', 'default', NO_PACE);
  const routes = [textRoute('{{ payload.to }}', 'Hello')];
  await publishRoutes(stage, 'charted', routes);
  const route = textRoute(GOOD, '{{ count }} open', {
    each: 'payload.alerts',
    incident: { key: '{{ item.name }}', resolved: 'false' },
    group: { by: ['all'], wait: '1s' },
  });
  await publishRoutes(stage, 'stormy', [route], { limit: false });
  await stage.script([{ failure: 'status', status: 422, match: { phone: WRONG } }]);
  for (const to of [GOOD, WRONG, GOOD]) await postWebhook(stage, 'charted', { type: 'hello', to });
  const alerts = Array.from({ length: ALERTS }, (_, n) => ({ name: `Disk${n}` }));
  await postWebhook(stage, 'stormy', { alerts });
  await eventually(async () => {
    const { body } = await stage.admin('GET', '/messages?source=charted');
    expect(JSON.stringify(body).match(/"state":"(sent|dead)"/g)).toHaveLength(3);
    const { body: stormy } = await stage.admin('GET', '/messages?source=stormy&state=sent');
    expect(JSON.stringify(stormy)).toContain('"state":"sent"');
  });
}

test('charts draw what was received, sent and lost, and lead to the lists', async ({ stage, open }) => {
  await traffic(stage);
  const { page, goTo } = await open({ as: 'viewer' });
  await goTo('/charts?source=charted');
  const chart = (title: string) => page.locator('figure').filter({ hasText: title });
  const barsOf = (title: string): Promise<readonly number[]> =>
    chart(title)
      .locator('.chart-bar')
      .evaluateAll((bars) =>
        bars.map((bar) => Number(bar.getAttribute('height'))).filter((height) => height > 0),
      );
  // One of three failed: that bar is as high as its chart, since it has a scale of its own.
  expect(await barsOf(en.charts.failures)).toEqual([100]);
  expect(await barsOf(en.charts.throughput)).toEqual([100, expect.closeTo(66.7, 1)]);
  expect(await chart(en.charts.success).locator('polyline').count()).toBe(1);
  expect(await chart(en.charts.delivery).locator('polyline').count()).toBe(2);

  // The same in a table, whose rows lead to the events of their hour.
  const throughput = chart(en.charts.throughput);
  await throughput.getByText(en.charts.asTable).click();
  const table = throughput.getByRole('table', { name: en.charts.throughput });
  expect(await table.getByRole('columnheader').allInnerTexts()).toEqual([
    en.charts.from,
    en.charts.events,
    en.states.sent,
  ]);
  expect(await table.getByRole('row').count()).toBe(25);
  const newest = table.getByRole('row').last();
  expect(await newest.getByRole('cell').allInnerTexts()).toEqual(['3', '2']);
  expect(await violationsOf(page)).toEqual([]);
  await newest.getByRole('link').click();
  await heading(page, en.nav.events).waitFor();
  await expect
    .poll(() => page.getByRole('list', { name: en.nav.events }).getByRole('listitem').count())
    .toBe(3);
  await page.goBack();

  // A click on the picture does, too.
  await page.getByRole('button', { name: en.charts.ranges['1h'] }).click();
  await chart(en.charts.failures).locator('svg a').last().click();
  await heading(page, en.nav.messages).waitFor();
  await expect.poll(() => page.url()).toContain('source=charted&state=dead');
  await page
    .getByText(`+${WRONG.slice(0, 2)}`)
    .first()
    .waitFor();
});

test('charts show a storm as one band, with its messages', async ({ stage, open }) => {
  await traffic(stage);
  const { page, goTo } = await open({ width: 390 });
  await goTo('/charts?source=stormy&range=1h');
  const storm = page.getByRole('link', { name: /^stormy: \d+ alerts, one message sent$/ });
  await storm.waitFor();
  expect(await page.locator('.chart-band').count()).toBe(1);
  expect(await violationsOf(page)).toEqual([]);
  await storm.click();
  await heading(page, en.nav.incidents).waitFor();
});
