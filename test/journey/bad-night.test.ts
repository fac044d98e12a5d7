import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { journey } from './journey.ts';
import type { Place } from './place.ts';
import { restarted } from './start.ts';

const TOKEN = 'orders-token-of-the-journey';
const PHONE = '4915187654321';

journey('the bad night', 'bad-night', (step) => {
  step('a shop sends its orders, and somebody watches', async (place) => {
    cpSync(join(import.meta.dirname, 'night'), join(place.folder, 'hookbell'), { recursive: true });
    place.append('.dev.vars', `ORDERS_TOKEN="${TOKEN}"\n`);
    await restarted(place);
    const [shell, watcher] = [await place.terminal(2), await place.terminal(3)];
    for (const each of [shell, watcher]) await place.runs(each, 'export HOOKBELL_TOKEN=demo-admin-token');
    await place.does(shell, 'push', 'npx hookbell push --yes');
    await watcher.begin('npx hookbell tail');
    await watcher.sees('watching');
    await order(place, 'order.paid', 1001);
    await place.phone.gets(PHONE, 'order 1001');
  });

  // The first way: the gateway answers 500 to everything.
  step('500: found', async (place) => {
    await place.phone.fails({ failure: 'status', status: 500, times: 1_000 });
    const [shell, watcher] = [await place.terminal(2), await place.terminal(3)];
    for (const [index, id] of [1002, 1003, 1004].entries()) {
      await order(place, 'order.paid', id);
      await watcher.seesTimes('retrying', index + 1);
    }
    // The circuit is open now: this one is not tried at all.
    await order(place, 'order.paid', 1005);
    await watcher.seesTimes(' queued', 5);
    await place.shows(watcher, 'outage-tail');
    await place.does(shell, 'outage-accounts', 'npx hookbell accounts');
    await place.does(shell, 'outage-messages', 'npx hookbell messages');
    await place.does(
      shell,
      'outage-message',
      `npx hookbell messages ${idIn(shell.screen(), 'msg', 'retrying')}`,
    );
    await place.does(shell, 'outage-doctor', 'npx hookbell doctor', 1);
  });

  step('500: fixed', async (place) => {
    // Well again, but slow enough to be seen at work.
    await place.phone.fails({ failure: 'slow', ms: 1_000 });
    const [shell, watcher] = [await place.terminal(2), await place.terminal(3)];
    await place.does(shell, 'outage-resume', 'npx hookbell resume');
    await watcher.seesTimes(' sent ', 2);
    await place.does(shell, 'outage-retry', 'npx hookbell retry --state retrying --yes');
    await watcher.seesTimes(' sent ', 5);
    for (const id of [1002, 1003, 1004, 1005]) await place.phone.gets(PHONE, `order ${id}`);
    await place.does(shell, 'outage-over', 'npx hookbell accounts');
  });

  // The second way: the gateway does not know the login any more.
  step('401: found and fixed', async (place) => {
    await place.phone.fails({ failure: 'status', status: 401, times: 1_000 });
    await order(place, 'order.paid', 1006);
    const [shell, watcher] = [await place.terminal(2), await place.terminal(3)];
    await watcher.sees('unauthorized');
    await place.does(shell, 'login-accounts', 'npx hookbell accounts');
    await place.does(shell, 'login-messages', 'npx hookbell messages --state queued');
    await place.does(shell, 'login-doctor', 'npx hookbell doctor', 1);
    await place.phone.fails({ failure: 'slow', ms: 1_000 });
    await place.does(shell, 'login-resume', 'npx hookbell resume');
    await watcher.seesTimes(' sent ', 6);
    await place.phone.gets(PHONE, 'order 1006');
  });

  // The third: nobody knows whether the gateway sent it.
  step('no answer: found', async (place) => {
    await place.phone.fails({ failure: 'hang', ms: 5_000 }, { failure: 'cut', delivered: false });
    const [shell, watcher] = [await place.terminal(2), await place.terminal(3)];
    await order(place, 'order.unpaid', 1007);
    await watcher.seesTimes('uncertain', 1);
    await order(place, 'order.unpaid', 1008);
    await watcher.seesTimes('uncertain', 2);
    await place.does(shell, 'unsure-messages', 'npx hookbell messages --state uncertain');
    await place.does(shell, 'unsure-message', `npx hookbell messages ${idIn(shell.screen(), 'msg', '1007')}`);
    await place.does(shell, 'unsure-doctor', 'npx hookbell doctor');
  });

  step('no answer: one look at the phone, and fixed', async (place) => {
    const shell = await place.terminal(2);
    await place.runs(shell, 'npx hookbell messages --state uncertain');
    const list = shell.screen();
    // The first one has arrived, the second one has not.
    await place.phone.gets(PHONE, '1007');
    await place.does(shell, 'unsure-cancel', `npx hookbell cancel ${idIn(list, 'msg', '1007')}`);
    await place.does(shell, 'unsure-retry', `npx hookbell retry ${idIn(list, 'msg', '1008')}`);
    await (await place.terminal(3)).seesTimes(' sent ', 7);
    await place.phone.gets(PHONE, '1008');
  });

  // The fourth: the gateway refuses one kind of message for good.
  step('400: dead letters', async (place) => {
    await place.phone.fails({
      failure: 'status',
      status: 400,
      body: JSON.stringify({ success: false, message: 'Link previews are not part of your plan' }),
      times: 1_000,
      match: { kind: 'link-preview' },
    });
    await order(place, 'order.shipped', 1009);
    const [shell, watcher] = [await place.terminal(2), await place.terminal(3)];
    await watcher.sees('dead');
    await place.does(shell, 'dead-messages', 'npx hookbell messages --state dead');
    await place.does(shell, 'dead-message', `npx hookbell messages ${idIn(shell.screen(), 'msg', 'dead')}`);
    await place.does(shell, 'dead-doctor', 'npx hookbell doctor');
  });

  step('400: a fix that is none, and back', async (place) => {
    const shell = await place.terminal(2);
    place.save('hookbell/templates/order-shipped.yaml', shipped('{{ payload.nr | plain }}'));
    await shell.begin('npx hookbell push -m "shipped: a text"');
    await shell.agrees('Publish');
    expect(await shell.ended()).toBe(0);
    await place.shows(shell, 'dead-push');
    await order(place, 'order.shipped', 1010);
    await place.phone.gets(PHONE, 'Your order  is on its way');
    await place.does(shell, 'dead-versions', 'npx hookbell versions');
    await place.does(shell, 'dead-diff', 'npx hookbell diff --from 2 --to 3');
    await shell.begin('npx hookbell rollback');
    await shell.agrees('Go back');
    expect(await shell.ended()).toBe(0);
    await place.shows(shell, 'dead-rollback');
  });

  step('400: fixed, and reported again', async (place) => {
    const shell = await place.terminal(2);
    place.save('hookbell/templates/order-shipped.yaml', shipped('{{ payload.order | plain }}'));
    await place.does(shell, 'dead-push-again', 'npx hookbell push --yes -m "shipped: the right number"');
    await place.does(shell, 'dead-events', 'npx hookbell events --type order.shipped');
    const event = /evt_\w+/.exec(shell.screen().split('\n').at(-1) ?? '')?.[0] ?? '';
    await place.does(shell, 'dead-event', `npx hookbell events ${event}`);
    await place.does(shell, 'dead-replay', `npx hookbell replay ${event} --failed`);
    await (await place.terminal(3)).seesTimes(' sent ', 9);
    await place.phone.gets(PHONE, 'Your order 1009 is on its way');
  });

  step('and a sender with an old token', async (place) => {
    const answer = await post(place, 'an-old-token', 'order.paid', 1011);
    expect(answer.status).toBe(401);
    const [shell, watcher] = [await place.terminal(2), await place.terminal(3)];
    await watcher.sees('refused');
    await place.does(shell, 'refused-rejections', 'npx hookbell rejections');
  });

  step('the morning after', async (place) => {
    const [shell, watcher] = [await place.terminal(2), await place.terminal(3)];
    watcher.press('ctrl-c');
    expect(await watcher.ended()).toBe(130);
    await place.shows(watcher, 'tail-of-the-night');
    await place.does(shell, 'versions-of-the-night', 'npx hookbell versions');
    await place.does(shell, 'messages-of-the-night', 'npx hookbell messages');
    await place.does(shell, 'doctor-of-the-morning', 'npx hookbell doctor hookbell');
  });
});

const shipped = (order: string): string => `kind: text\nmessage: 'Your order ${order} is on its way.'\n`;

const post = ({ relayUrl }: Place, token: string, event: string, id: number): Promise<Response> =>
  fetch(`${relayUrl}/hooks/orders/${token}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ event, order: id, phone: `+${PHONE}` }),
  });

async function order(place: Place, event: string, id: number): Promise<void> {
  const answer = await post(place, TOKEN, event, id);
  expect(answer.status, await answer.text()).toBe(202);
}

/** The id in the first row of a screen that has `words` in it. */
function idIn(screen: string, prefix: 'msg' | 'evt', words: string): string {
  const row = screen.split('\n').find((line) => line.includes(words) && line.includes(`${prefix}_`));
  return new RegExp(`${prefix}_\\w+`).exec(row ?? '')?.[0] ?? `no-${prefix}`;
}
