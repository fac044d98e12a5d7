import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { journey } from './journey.ts';
import { restarted, type Place } from './place.ts';

const TOKEN = 'orders-token-of-the-journey';
const PHONE = '4915187654321';

journey('the bad night', (step) => {
  step('a shop sends its orders, and somebody watches', async (place) => {
    cpSync(join(import.meta.dirname, 'night'), join(place.folder, 'hookbell'), { recursive: true });
    place.secret('ORDERS_TOKEN', TOKEN);
    await restarted(place);
    const [shell, watcher] = [await place.terminal(2), await place.terminal(3)];
    for (const each of [shell, watcher]) await place.runs(each, 'export HOOKBELL_TOKEN=demo-admin-token');
    await place.runs(shell, 'npx hookbell push --yes', [
      'npx hookbell pull ./hookbell --missing',
      'published version 2',
    ]);
    await watcher.begin('npx hookbell tail');
    await watcher.sees('watching');
    await order(place, 'order.paid', 1001);
    await place.phone.gets(PHONE, 'order 1001');
  });

  step('the gateway answers 500 to everything: found', async (place) => {
    await place.phone.fails({ failure: 'status', status: 500, times: 1_000 });
    const [shell, watcher] = [await place.terminal(2), await place.terminal(3)];
    for (const [index, id] of [1002, 1003, 1004].entries()) {
      await order(place, 'order.paid', id);
      await watcher.seesTimes('retrying', index + 1);
    }
    // The circuit is open now: this one is not tried at all.
    await order(place, 'order.paid', 1005);
    await watcher.sees('the gateway is failing');
    await place.runs(shell, 'npx hookbell accounts', ['the gateway answered 500']);
    const reasons = ['attempt 2 of 3 at', 'the gateway is failing; one message is tried at'];
    const list = await place.runs(shell, 'npx hookbell messages', reasons);
    const attempts = ['server_error', 'Scripted failure 500.'];
    await place.runs(shell, `npx hookbell messages ${idIn(list, 'retrying')}`, attempts);
    const found = ['✗ Gateway failed 3 times in a row', 'npx hookbell resume default', '1 check failed'];
    await place.runs(shell, 'npx hookbell doctor', found, 1);
  });

  step('500: fixed', async (place) => {
    // Well again, but slow enough to be seen at work.
    await place.phone.fails({ failure: 'slow', ms: 1_000 });
    const [shell, watcher] = [await place.terminal(2), await place.terminal(3)];
    await place.runs(shell, 'npx hookbell resume');
    await watcher.seesTimes(' sent ', 2);
    await place.runs(shell, 'npx hookbell retry --state retrying --yes', ['3 messages']);
    await watcher.seesTimes(' sent ', 5);
    for (const id of [1002, 1003, 1004, 1005]) await place.phone.gets(PHONE, `order ${id}`);
    await place.runs(shell, 'npx hookbell accounts', ['ready']);
  });

  step('the gateway does not know the login any more: found and fixed', async (place) => {
    await place.phone.fails({ failure: 'status', status: 401, times: 1_000 });
    await order(place, 'order.paid', 1006);
    const [shell, watcher] = [await place.terminal(2), await place.terminal(3)];
    await watcher.sees('unauthorized');
    await place.runs(shell, 'npx hookbell accounts', ['paused']);
    await place.runs(shell, 'npx hookbell messages --state queued', ['its account is paused']);
    const found = ['✗ Gateway refuses the account', 'npx hookbell resume default'];
    await place.runs(shell, 'npx hookbell doctor', found, 1);
    await place.phone.fails({ failure: 'slow', ms: 1_000 });
    await place.runs(shell, 'npx hookbell resume');
    await watcher.seesTimes(' sent ', 6);
    await place.phone.gets(PHONE, 'order 1006');
  });

  step('nobody knows whether the gateway sent it: found, one look at the phone, and fixed', async (place) => {
    await place.phone.fails({ failure: 'hang', ms: 5_000 }, { failure: 'cut', delivered: false });
    const [shell, watcher] = [await place.terminal(2), await place.terminal(3)];
    await order(place, 'order.unpaid', 1007);
    await watcher.seesTimes('uncertain', 1);
    await order(place, 'order.unpaid', 1008);
    await watcher.seesTimes('uncertain', 2);
    const decide = [
      '2 messages may have been sent, and a person has to decide',
      'messages --state uncertain',
    ];
    await place.runs(shell, 'npx hookbell doctor', decide);
    const list = await place.runs(shell, 'npx hookbell messages --state uncertain', ['1007', '1008']);
    await place.runs(shell, `npx hookbell messages ${idIn(list, '1007')}`, ['uncertain']);
    // The first one has arrived, the second one has not.
    await place.phone.gets(PHONE, '1007');
    await place.runs(shell, `npx hookbell cancel ${idIn(list, '1007')}`, ['is cancelled']);
    await place.runs(shell, `npx hookbell retry ${idIn(list, '1008')}`, ['will be retried']);
    await watcher.seesTimes(' sent ', 7);
    await place.phone.gets(PHONE, '1008');
  });

  step('the gateway refuses one kind of message for good: dead letters', async (place) => {
    const words = 'Link previews are not part of your plan';
    await place.phone.fails({
      failure: 'status',
      status: 400,
      body: JSON.stringify({ success: false, message: words }),
      times: 1_000,
      match: { kind: 'link-preview' },
    });
    await order(place, 'order.shipped', 1009);
    const [shell, watcher] = [await place.terminal(2), await place.terminal(3)];
    await watcher.sees('dead');
    const list = await place.runs(shell, 'npx hookbell messages --state dead', [words]);
    await place.runs(shell, `npx hookbell messages ${idIn(list, 'dead')}`, ['ANSWER TO ATTEMPT 1', words]);
    await place.runs(shell, 'npx hookbell doctor', ['1 message given up', 'npx hookbell retry --state dead']);
  });

  step('400: a fix that is none, and back', async (place) => {
    const shell = await place.terminal(2);
    place.save('hookbell/templates/order-shipped.yaml', shipped('{{ payload.nr | plain }}'));
    await shell.begin('npx hookbell push -m "shipped: a text"');
    await shell.agrees('Publish');
    await place.ended(shell, ['payload.nr']);
    await order(place, 'order.shipped', 1010);
    await place.phone.gets(PHONE, 'Your order  is on its way');
    await place.runs(shell, 'npx hookbell versions', ['shipped: a text']);
    await place.runs(shell, 'npx hookbell diff --from 2 --to 3', ['~ templates/order-shipped changed']);
    await shell.begin('npx hookbell rollback');
    await shell.agrees('Go back');
    await place.ended(shell, ['version 2 is active (was 3)']);
  });

  step('400: fixed, and reported again', async (place) => {
    const shell = await place.terminal(2);
    place.save('hookbell/templates/order-shipped.yaml', shipped('{{ payload.order | plain }}'));
    await place.runs(shell, 'npx hookbell push --yes -m "shipped: the right number"');
    const events = await place.runs(shell, 'npx hookbell events --type order.shipped');
    const event = /evt_\w+/.exec(events.split('\n').at(-1) ?? '')?.[0] ?? '';
    await place.runs(shell, `npx hookbell events ${event}`, ['dead']);
    await place.runs(shell, `npx hookbell replay ${event} --failed`);
    await (await place.terminal(3)).seesTimes(' sent ', 9);
    await place.phone.gets(PHONE, 'Your order 1009 is on its way');
  });

  step('a sender with an old token is refused, and the morning after shows all of it', async (place) => {
    const answer = await post(place, 'an-old-token', 'order.paid', 1011);
    expect(answer.status).toBe(401);
    const [shell, watcher] = [await place.terminal(2), await place.terminal(3)];
    await watcher.sees('refused');
    await place.runs(shell, 'npx hookbell rejections', ['orders', '401']);
    watcher.press('ctrl-c');
    await place.ended(watcher, ['retrying', 'unauthorized', 'uncertain', 'dead', 'refused'], 130);
    await place.runs(shell, 'npx hookbell versions', ['shipped: the right number']);
    await place.runs(shell, 'npx hookbell doctor hookbell', ['hookbell is the same as the active version']);
  });
});

const shipped = (order: string): string => `kind: text\nmessage: 'Your order ${order} is on its way.'\n`;

const post = ({ relayUrl }: Place, token: string, event: string, id: number): Promise<Response> =>
  fetch(`${relayUrl}/hooks/orders`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-shop-token': token },
    body: JSON.stringify({ event, order: id, phone: `+${PHONE}` }),
  });

async function order(place: Place, event: string, id: number): Promise<void> {
  const answer = await post(place, TOKEN, event, id);
  expect(answer.status, await answer.text()).toBe(202);
}

/** The id of the message in the first row of a screen that has `words` in it. */
function idIn(screen: string, words: string): string {
  const row = screen.split('\n').find((line) => line.includes(words) && line.includes('msg_'));
  return /msg_\w+/.exec(row ?? '')?.[0] ?? 'no-message';
}
