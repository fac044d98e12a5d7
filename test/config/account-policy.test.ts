import { describe, expect, it } from 'vitest';
import { accountPolicy, DEFAULT_ACCOUNT } from '../../src/config/account-policy.ts';
import { accountSchema } from '../../src/config/account-schema.ts';
import { PROMISED } from './support.ts';

const policyOf = (document: unknown) => accountPolicy(accountSchema.parse(document));

describe('the policy of an account', () => {
  it('is the defaults when its document is empty', () => {
    expect(policyOf({})).toEqual(DEFAULT_ACCOUNT);
  });

  it('has the defaults that are written down for people', () => {
    expect(policyOf(PROMISED.accounts['default'])).toEqual(DEFAULT_ACCOUNT);
  });

  it('has no limit where the document says false', () => {
    expect(policyOf({ rate: false, per_recipient: false })).toMatchObject({ rate: null, perRecipient: null });
  });

  it.each([
    [1, 1],
    [3, 3],
    [600, 5],
  ])('lets a pace of %i a minute burst by %i unless the document says more', (per_minute, burst) => {
    expect(policyOf({ rate: { per_minute } }).rate).toEqual({ perMinute: per_minute, burst });
  });

  it('keeps the other half of a circuit of which one is given', () => {
    expect(policyOf({ circuit: { failures: 2 } }).circuit).toEqual({ failures: 2, probeMs: 30_000 });
    expect(policyOf({ circuit: { probe: '1s' } }).circuit).toEqual({ failures: 5, probeMs: 1_000 });
  });

  it('gives up after the first attempt when the list of waits is empty', () => {
    expect(policyOf({ retry: [] }).retryMs).toEqual([]);
  });

  it.each([
    ['https://hooks.slack.com/services/{secret}', 'slack'],
    ['https://discord.com/api/webhooks/{secret}', 'discord'],
    ['https://discordapp.com/api/webhooks/{secret}', 'discord'],
    ['https://ntfy.sh/{secret}', 'ntfy'],
    ['https://hooks.slack.com.example/{secret}', 'json'],
  ])('notifies %s in the format %s', (url, format) => {
    expect(policyOf({ notify: { url, secret: 'NOTIFY_PATH' } }).notify).toEqual({
      url,
      secret: 'NOTIFY_PATH',
      format,
    });
  });

  it('uses the format that the document names, whatever the host', () => {
    const notify = { url: 'https://hooks.slack.com/x', format: 'json' };
    expect(policyOf({ notify }).notify).toEqual({ url: notify.url, secret: null, format: 'json' });
  });
});
