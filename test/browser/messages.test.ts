import { expect } from 'vitest';
import { en } from '../../console/texts/en.ts';
import { openSource, postWebhook, publish, publishRoutes, textRoute } from './support/sources.ts';
import { button, test } from './support/test.ts';

test('a retry sends a message that was given up, and the page says so', async ({ stage, open }) => {
  await publishRoutes(stage, 'retried', [textRoute('4915100000001', '{{ payload.text }}')]);
  // The gateway refuses the message for good, once.
  await stage.script([{ failure: 'status', status: 422, match: { phone: '4915100000001' } }]);
  const event = await postWebhook(stage, 'retried', { type: 'order', text: 'Once refused' });
  const { page, goTo } = await open({ as: 'operator' });
  await goTo(`/events/${event}`);
  await page.getByText(en.states.dead, { exact: true }).waitFor();
  await button(page, en.messages.retry).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText(en.messages.retryText('+4915100000001')).waitFor();
  await dialog.getByRole('button', { name: en.messages.retry, exact: true }).click();
  await page.getByText(en.messages.retried).waitFor();
  await page.getByText(en.states.sent, { exact: true }).first().waitFor();
});

test('a replay of forty says how many before, and how many after', async ({ stage, open }) => {
  await publish(stage.admin, 'sources', 'forty', openSource());
  for (let n = 1; n <= 40; n += 1) await postWebhook(stage, 'forty', { type: 'order', text: `Order ${n}` });
  const { page, goTo } = await open({ as: 'operator' });
  await goTo('/events?source=forty');
  await page.getByText(en.common.rows('40', false)).waitFor();
  await button(page, en.events.replayButton).click();
  // Messages that were sent are not sent again unless somebody wants that.
  await page.getByText(en.bulk.nothing).waitFor();
  await page.getByLabel(en.bulk.replay.onlyFailed).uncheck();
  await page.getByText(en.bulk.replay.what(40)).waitFor();
  await page.getByText(en.bulk.receivers(1, true)).waitFor();
  await button(page, en.bulk.replay.action('40')).click();
  await page.getByText(en.bulk.replay.done(40, '40')).waitFor();
  await page.getByRole('dialog').getByRole('button', { name: en.common.close, exact: true }).last().click();
  await page.getByText(en.common.rows('80', false)).waitFor();
  expect(await page.getByRole('dialog').count()).toBe(0);
});

test('without a filter, a replay of everything needs its number typed', async ({ stage, open }) => {
  await publish(stage.admin, 'sources', 'everything', openSource());
  await postWebhook(stage, 'everything', { type: 'order', text: 'One' });
  const { page, goTo } = await open({ as: 'operator' });
  await goTo('/events');
  await button(page, en.events.replayButton).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel(en.bulk.replay.onlyFailed).uncheck();
  const action = dialog.getByRole('button', { name: /^Replay \d/ });
  await action.waitFor();
  const number = (await action.textContent())?.replaceAll(/\D/g, '') ?? '';
  expect(await action.isDisabled()).toBe(true);
  await dialog.getByLabel(en.bulk.typeNumber(number)).fill(number);
  expect(await action.isEnabled()).toBe(true);
  await dialog.getByRole('button', { name: en.common.cancel, exact: true }).click();
});

test('the live list stands still while it is stopped, then catches up', async ({ stage, open }) => {
  await publish(stage.admin, 'sources', 'live', openSource());
  const { page, goTo } = await open();
  await goTo('/events?source=live');
  await button(page, en.common.live).waitFor();
  await page.getByText(en.events.noneMatch).waitFor();
  await postWebhook(stage, 'live', { type: 'first', text: 'Hello' });
  await page.getByText('first', { exact: true }).waitFor();

  await button(page, en.common.live).click();
  await button(page, en.common.liveStopped).waitFor();
  await postWebhook(stage, 'live', { type: 'second', text: 'Hello' });
  // The second event has reached another browser by then, but not this one.
  const other = await open();
  await other.goTo('/events?source=live');
  await other.page.getByText('second', { exact: true }).waitFor();
  expect(await page.getByText('second', { exact: true }).count()).toBe(0);

  await button(page, en.common.liveStopped).click();
  await page.getByText('second', { exact: true }).waitFor();
  await postWebhook(stage, 'live', { type: 'third', text: 'Hello' });
  await page.getByText('third', { exact: true }).waitFor();
});
