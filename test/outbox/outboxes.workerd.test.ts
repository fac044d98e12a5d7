import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { findInOutboxes, outboxNames } from '../../src/outbox/outboxes.ts';
import { publish } from '../integration/relay.ts';

/** Asks every outbox whether it is this account's. */
const ask = (name: string) =>
  findInOutboxes(env, async (outbox) => {
    const { account } = await outbox.status();
    return account === name ? account : null;
  });

describe('looking into every outbox', () => {
  beforeAll(() => publish({ accounts: { default: { rate: false }, sales: {} } }));

  it('means that of each account', async () => {
    expect(await outboxNames(env)).toEqual(['default', 'sales']);
  });

  it('finds what only one of them has, and null where none has it', async () => {
    expect(await ask('sales')).toBe('sales');
    expect(await ask('nobody')).toBeNull();
  });
});
