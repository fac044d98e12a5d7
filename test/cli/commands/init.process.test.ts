import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Stripe from 'stripe';
import { expect, it } from 'vitest';
import { DEMO_SECRETS } from '../../../cli/dev/demo-webhooks.ts';
import { hookbell, newFolder, phoneTexts, post, shown, until } from '../support.ts';

const SAMPLE = 'hookbell/fixtures/shop/checkout.session.completed';

/** From the documents that init made to the text on a phone. */
async function textOf(cwd: string, phone: string): Promise<string> {
  expect(await hookbell('push --yes', { cwd })).toMatchObject({ code: 0, stderr: '' });
  const payload = readFileSync(join(cwd, `${SAMPLE}.json`), 'utf8');
  const secret = DEMO_SECRETS.STRIPE_WEBHOOK_SECRET;
  const signature = await new Stripe('sk_test_not_used').webhooks.generateTestHeaderStringAsync({
    payload,
    secret,
  });
  expect((await post('shop', payload, { 'stripe-signature': signature })).messages).toHaveLength(1);
  await until(async () => (await phoneTexts(phone)).length > 0, 'the message');
  return (await phoneTexts(phone))[0] ?? '';
}

it('init leads from nothing to a message on a phone: init, check, push, a webhook', async () => {
  const cwd = newFolder();
  const phone = '--to "+49 151 12345670" --country DE --timezone Europe/Berlin';
  const made = await hookbell(`init --provider stripe --source shop ${phone} --yes`, { cwd });
  expect(made.code).toBe(0);
  expect(made.stderr).toContain('This machine cannot be reached from outside');
  expect(made.stdout).toContain('/hooks/shop');
  // Messages of other tests count towards the hourly limits.
  mkdirSync(join(cwd, 'hookbell/accounts'));
  writeFileSync(join(cwd, 'hookbell/accounts/default.yaml'), 'rate: false\nper_recipient: false\n');
  expect(await shown('check', { cwd })).toContain('4 fixtures');
  const expected = readFileSync(join(cwd, `${SAMPLE}.expected.json`), 'utf8');
  expect(expected).toContain(JSON.stringify(await textOf(cwd, '4915112345670')));
});

it('init --gateway ntfy leads to a topic that nobody guesses, without a login', async () => {
  const cwd = newFolder();
  const made = await hookbell('init --provider stripe --source shop --gateway ntfy --yes', { cwd });
  const [topic = ''] = /hookbell-[0-9a-z]{20}/.exec(made.stdout) ?? [];
  expect(topic).not.toBe('');
  expect(made.stderr).toContain(`subscribe to ${topic}`);
  expect(made.stderr).toContain('can read its messages');
  expect(await hookbell('check', { cwd })).toMatchObject({ code: 0, stderr: '' });
  await textOf(cwd, topic);
});
