import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { findEvent, findInOutboxes, outboxNames } from '../../src/outbox/outboxes.ts';
import { publish } from '../integration/relay.ts';
import { draftTo, eventOf } from './bare-outbox.ts';

const PHONE = '4915112345678';
const event = eventOf(Date.now(), { shards: [1] });

/** Asks every outbox whether it is this account's. */
const ask = (name: string) =>
  findInOutboxes(env, async (outbox) => {
    const { account } = await outbox.status();
    return account === name ? account : null;
  });

describe('looking into every outbox', () => {
  beforeAll(async () => {
    await publish({ accounts: { default: { rate: false, shards: 2 }, sales: {} } });
    for (const name of await outboxNames(env))
      await env.OUTBOX.getByName(name).pause('test', 'nothing is sent');
    await env.OUTBOX.getByName('default').accept({ event, messages: [draftTo(PHONE)] });
    const copy = { ...event, isHome: false, payload: '"copy"' };
    await env.OUTBOX.getByName('default#1').accept({
      event: copy,
      messages: [draftTo(PHONE), draftTo(PHONE)],
    });
  });

  it('means each account’s objects, all of them', async () => {
    expect(await outboxNames(env)).toEqual(['default', 'default#1', 'sales']);
  });

  it('finds what only one of them has, and null where none has it', async () => {
    expect(await ask('sales')).toBe('sales');
    expect(await ask('nobody')).toBeNull();
  });

  it('shows an event as its own object keeps it, with the messages of all', async () => {
    const found = await findEvent(env, event.id);
    expect(found).toMatchObject({ id: event.id, is_home: true, payload: '{"n":1}' });
    expect(found?.messages).toHaveLength(3);
    expect(await findEvent(env, 'evt_none')).toBeNull();
  });
});
