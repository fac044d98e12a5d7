import type { Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import { en } from '../../console/texts/en.ts';
import { violationsOf } from './support/axe.ts';
import { clicksIn, NO_PACE, postWebhook, publish, textRoute } from './support/sources.ts';
import type { Stage } from './support/stage.ts';
import { button, heading, panel, test } from './support/test.ts';

const ON_CALL = '4915100000071';

/** A source of alerts that notifies one person. */
const alerts = {
  verify: { scheme: 'none' },
  limit: false,
  routes: [
    textRoute([ON_CALL], '{{ count }} open', {
      name: 'on-call',
      each: 'payload.alerts',
      incident: { key: '{{ item.fingerprint }}', resolved: 'item.status == "resolved"' },
      group: { by: ['{{ item.labels.service }}'], wait: '1s' },
    }),
  ],
};

const alert = (
  fingerprint: string,
  labels: { readonly alertname: string; readonly [name: string]: string },
  status = 'firing',
) => ({
  fingerprint,
  status,
  labels,
  annotations: { summary: `${labels.alertname} is full`, runbook_url: 'https://wiki.example/disk' },
});

async function storm(stage: Stage, source: string): Promise<void> {
  await publish(stage.admin, 'accounts', 'default', NO_PACE);
  await publish(stage.admin, 'sources', source, alerts);
  const many = Array.from({ length: 37 }, (_, n) =>
    alert(`00000000000001${n}`, {
      alertname: `Disk${n}`,
      service: 'disks',
      severity: n < 3 ? 'critical' : 'warning',
    }),
  );
  await postWebhook(stage, source, { alerts: many });
  await postWebhook(stage, source, {
    alerts: [alert('00000000000002aa', { alertname: 'HighLatency', service: 'shop', instance: 'web-1' })],
  });
  onTestFinished(async () => void (await stage.admin('DELETE', `/sources/${source}`)));
}

const card = (page: Page, source: string) => page.getByRole('listitem').filter({ hasText: `${source}: ` });

test('a storm is one card, which says how bad it is, and what is worst can be acknowledged there', async ({
  stage,
  open,
}) => {
  await storm(stage, 'monitor');
  const { page, goTo } = await open({ as: 'operator', width: 390 });
  await goTo('/');
  const one = card(page, 'monitor');
  await one.getByText(en.now.incidents('monitor', 38, 3), { exact: true }).waitFor();
  // Of three that are as bad, any may be the first.
  await one.getByRole('link', { name: /^Disk[012]$/ }).waitFor();
  expect(await one.count()).toBe(1);
  await one.getByRole('button', { name: en.common.show }).click();
  // The critical ones come first.
  await one.getByText('warning', { exact: true }).first().waitFor();
  const severities = await one.getByText(/^(critical|warning)$/).allTextContents();
  expect(severities.slice(0, 5)).toEqual(['critical', 'critical', 'critical', 'critical', 'warning']);
  expect(await violationsOf(page)).toEqual([]);
  await one
    .getByText(/^Disk[012] is full$/)
    .first()
    .waitFor();
  await one.getByRole('button', { name: en.incidents.acknowledge, exact: true }).click();
  // It asks only if somebody knows of it already.
  const sure = page.getByRole('dialog').getByRole('button', { name: en.incidents.acknowledge, exact: true });
  const left = one.getByText(en.now.incidents('monitor', 37, 2), { exact: true });
  await sure.or(left).first().waitFor();
  if (await sure.isVisible()) await sure.click();
  await left.waitFor();
});

test('a source is silenced in two clicks, which say before what they match', async ({ stage, open }) => {
  await storm(stage, 'quiet');
  const { page, goTo } = await open({ as: 'operator', width: 390 });
  await goTo('/');
  const clicks = await clicksIn(page);
  await card(page, 'quiet').getByRole('button', { name: en.silences.silence }).click();
  const dialog = page.getByRole('dialog', { name: en.silences.silenceTitle });
  await dialog.getByText(/^Matches 38 of /).waitFor();
  expect(await violationsOf(page)).toEqual([]);
  await dialog.getByRole('button', { name: en.silences.hour, exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
  await card(page, 'quiet').waitFor({ state: 'detached' });
  expect(await clicks()).toBe(2);

  await goTo('/silences');
  await page.locator('.silences-when').getByText('quiet', { exact: true }).first().waitFor();
  expect(await violationsOf(page)).toEqual([]);
  await button(page, en.silences.end).first().click();
  const question = page.getByRole('dialog');
  await question.locator('.silences-when').waitFor();
  await question.getByRole('button', { name: en.silences.end, exact: true }).click();
  await page.getByText(en.silences.endedToast).waitFor();
});

test('a condition that is not valid says where', async ({ open }) => {
  const { page, goTo, watch } = await open({ as: 'operator', width: 390 });
  watch.expectRefusal(422, '/silences/preview');
  await goTo('/silences');
  await button(page, en.silences.add).click();
  await page.getByLabel(en.silences.when).fill('event.source ==');
  await page.getByRole('dialog').getByText('column 16').waitFor();
});

test('a card that is done leaves this browser, and comes back on demand and with news', async ({
  stage,
  open,
}) => {
  await storm(stage, 'noisy');
  const { page, goTo } = await open();
  await goTo('/');
  const one = page.locator('.now-findings > li', { hasText: 'noisy: ' });
  const dismiss = async () => {
    await one.getByRole('button', { name: en.now.done }).click();
    await one.waitFor({ state: 'detached' });
  };
  await dismiss();
  await goTo('/');
  await page.getByText(/(card is|cards are) done$/).click();
  expect(await one.count()).toBe(0);
  await page.locator('.now-done li', { hasText: 'noisy' }).getByRole('button').click();
  await one.waitFor();
  await dismiss();
  await postWebhook(stage, 'noisy', { alerts: [alert('new', { alertname: 'Again' })] });
  await goTo('/');
  await one.waitFor();
});

test('an incident names whom it notified, and is handed over in two taps', async ({ stage, open }) => {
  await publish(stage.admin, 'recipients', 'night-shift', {
    people: { Nora: ON_CALL, Olaf: '4915100000072' },
    rotation: {
      order: ['Nora', 'Olaf'],
      every: '1w',
      from: new Date(Date.now() - 3_600_000).toISOString().slice(0, 16),
      timezone: 'UTC',
    },
  });
  onTestFinished(async () => void (await stage.admin('DELETE', '/recipients/night-shift')));
  await storm(stage, 'shift');
  const { page, goTo } = await open({ as: 'operator', width: 390 });
  await goTo('/incidents?source=shift');
  await page.getByRole('link', { name: /HighLatency web-1/ }).click();
  await page.getByRole('listitem').filter({ hasText: 'Nora' }).first().waitFor();
  await page.getByRole('link', { name: en.incidents.handOver }).click();
  await heading(page, en.nav.onCall).waitFor();
  await page.getByText('Now: Nora until').waitFor();
  // Two taps: from now until the end of the turn is filled in already.
  await page.getByRole('button', { name: 'Hand over', exact: true }).click();
  await page.getByText('Now: Olaf until').waitFor();
  expect(new URL(page.url()).search).toBe('');
});

test('an incident is acknowledged and resolved after it said who is notified', async ({ stage, open }) => {
  await storm(stage, 'page');
  const { page, goTo } = await open({ as: 'operator', width: 390 });
  await goTo('/incidents?source=page');
  await page.getByRole('link', { name: /HighLatency web-1/ }).click();
  await heading(page, 'HighLatency web-1').waitFor();
  await page.getByText(en.incidents.receiverStates.notified, { exact: true }).waitFor();
  expect(await page.getByRole('link', { name: 'runbook' }).getAttribute('href')).toBe(
    'https://wiki.example/disk',
  );
  await panel(page, en.incidents.lastMessage).locator('.bubble').waitFor();
  // Its buttons are one line in German, too; at a desk an incident is one, where it is acknowledged.
  const german = await open({ as: 'operator', width: 390, language: 'de' });
  await german.goTo(new URL(page.url()).pathname.slice('/admin'.length));
  expect((await german.page.locator('.act-bar').boundingBox())?.height).toBeLessThan(70);
  const desk = await open({ as: 'operator' });
  await desk.goTo('/incidents?source=page');
  const row = desk.page.getByRole('listitem').filter({ hasText: 'Disk0' });
  expect((await row.boundingBox())?.height).toBe(36);
  expect(await violationsOf(desk.page)).toEqual([]);
  await row.getByRole('button', { name: en.incidents.acknowledge }).click();
  await desk.page.getByRole('dialog').getByRole('button', { name: en.incidents.acknowledge }).click();
  await row.getByText('operator', { exact: true }).waitFor();
  await page.bringToFront();
  expect(await violationsOf(page)).toEqual([]);
  await button(page, en.incidents.acknowledge).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText(en.incidents.acknowledgeNotifies(1)).waitFor();
  expect(await violationsOf(page)).toEqual([]);
  await dialog.getByRole('button', { name: en.incidents.acknowledge, exact: true }).click();
  await page.getByText(`${en.incidents.line.acknowledged} operator`).waitFor();
  await button(page, en.incidents.resolve).click();
  await dialog.getByText(en.incidents.resolveNotifies(1)).waitFor();
  expect(await violationsOf(page)).toEqual([]);
  await dialog.getByRole('button', { name: en.incidents.resolveNow(1), exact: true }).click();
  await page.getByText(`${en.incidents.line.resolvedBy} operator`).waitFor();
  // The event's trip goes on with what was notified about its items.
  await page.getByRole('link', { name: en.incidents.lookAtEvent }).click();
  const trip = panel(page, en.events.trip);
  await trip.getByText(en.events.tripSteps.sent).first().waitFor();
  expect(await violationsOf(page)).toEqual([]);
});

test('a change that resolves incidents says before whom it messages', async ({ stage, open }) => {
  await storm(stage, 'leaving');
  const { page, goTo } = await open({ width: 390 });
  await goTo('/sources/leaving');
  const dialog = page.getByRole('dialog');
  const says = en.incidents.changeResolves(38, 'leaving', true);
  await button(page, en.sources.remove).click();
  await dialog.getByText(says, { exact: true }).waitFor();
  expect(await violationsOf(page)).toEqual([]);
  await dialog.getByRole('button', { name: en.common.cancel, exact: true }).click();

  await goTo('/versions');
  await button(page, en.versions.activate).first().click();
  await dialog.getByText(says, { exact: true }).waitFor();
  await dialog.getByRole('button', { name: en.common.cancel, exact: true }).click();

  await goTo('/sources/leaving?edit=1');
  await page.getByText(en.sources.advanced).click();
  expect(await page.getByText(says).count()).toBe(0);
  await page.getByLabel(en.sources.json).fill(JSON.stringify({ ...alerts, account: 'sales' }));
  await page.getByText(says, { exact: true }).waitFor();
  await page.getByLabel(en.sources.json).fill(JSON.stringify({ ...alerts, heartbeat: '1d' }));
  await page.getByText(says).waitFor({ state: 'detached' });
});

test('a page is said to be old when there is no network', async ({ open }) => {
  const { page, context, goTo } = await open({ as: 'viewer', width: 390 });
  for (const path of ['/', '/events', '/messages']) {
    await goTo(path);
    await context.setOffline(true);
    await page.getByText(en.common.offlineNow).waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
    await context.setOffline(false);
    await page.getByText(en.common.offlineNow).waitFor({ state: 'detached' });
  }
});
