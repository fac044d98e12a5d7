import { describe, expect, it } from 'vitest';
import { phoneViewOf, type SampleView } from '../../../cli/phone-views/phone-view.ts';
import { calendly } from '../../../src/provider/catalog/calendly.ts';
import { woocommerce } from '../../../src/provider/catalog/woocommerce.ts';
import { zendesk } from '../../../src/provider/catalog/zendesk.ts';

async function samplesOf(provider: typeof woocommerce, locale: string): Promise<readonly SampleView[]> {
  const view = await phoneViewOf(provider, locale);
  if (!view.ok) throw new Error(view.error);
  return view.value.samples;
}

describe('what a starter puts on phones', () => {
  it('says who reads it: a list by its name, or the number of the webhook', async () => {
    const [paid] = await samplesOf(woocommerce, 'en-GB');
    expect(paid?.messages.map(({ to, isFromWebhook }) => [to, isFromWebhook])).toEqual([
      ['+491713920001', true],
      ['shop-owners', false],
    ]);
  });

  it('leaves out what an earlier sample said of the same fact', async () => {
    const [paid, again, edited] = await samplesOf(woocommerce, 'en-GB');
    expect(paid?.messages).toHaveLength(2);
    for (const later of [again, edited]) {
      expect(later?.messages).toEqual([]);
      expect(later?.silent).toMatch(/\w/);
    }
  });

  it('goes on with the answers of who presses a link, in the words of its button', async () => {
    const [booked] = await samplesOf(calendly, 'de-DE');
    expect(booked?.messages.map(({ route, pressed }) => [route, pressed])).toEqual([
      ['confirm-to-guest', undefined],
      ['booked', undefined],
      ['answered', 'Bestätigen'],
      ['answered', 'Ablehnen'],
    ]);
    expect(booked?.messages[2]?.text).toMatch(/^✅ Anna hat bestätigt: .* mit Ada Lovelace\n/);
    expect(booked?.messages[3]?.text).toMatch(/^❌ Anna hat abgelehnt: [^]*\nIn Calendly absagen: https:/);
  });

  it('is in the language of the locale, with the example of what the starter asks', async () => {
    const [english] = await samplesOf(zendesk, 'en-GB');
    const [german] = await samplesOf(zendesk, 'de-AT');
    const texts = [english, german].map((sample) => sample?.messages[0]?.text ?? '');
    expect(texts[0]).not.toBe(texts[1]);
    for (const text of texts) expect(text).toMatch(/\nhttps:\/\/acme\.zendesk\.com\/agent\/tickets\/\d+$/);
  });
});
