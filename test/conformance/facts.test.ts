import { expect, it } from 'vitest';
import { parse } from 'yaml';
import * as z from 'zod';
import { parseOwnJson } from '../../src/lib/json.ts';
import { providers } from '../platform/providers.ts';
import misread from './misread.yaml?raw';
import { rule } from './rule.ts';
import { routeSample, samplesOf } from './starters.ts';

function sampleOf(id: string, name: string) {
  const provider = providers.get(id);
  const sample = provider && samplesOf(provider).find((one) => one.name === name);
  if (provider === undefined || sample === undefined) throw new Error(`${id} has no sample ${name}`);
  return { provider, sample };
}

/** The results of a sample: the texts of its messages, and a line for each item that waits for a group. */
async function messagesFor(id: string, name: string): Promise<readonly string[]> {
  const { provider, sample } = sampleOf(id, name);
  const results = await routeSample(provider, sample, 'en-GB');
  return results.flatMap(({ route, messages, items = [] }) => [
    ...messages.map(({ params }) => `${route}: ${params['message'] ?? ''}`),
    ...items.map(({ value }) => `${route}: ${value}`),
  ]);
}

const FACTS = z
  .array(z.tuple([z.string(), z.string(), z.number()], z.string()))
  .parse(parse(misread))
  .map(([id, sample, count, text]) => [`${id}: ${sample}`, id, sample, count, text] as const);

rule(
  'a sample that is easily misread makes the right messages',
  FACTS,
  async (_, id, sample, count, text) => {
    const all = await messagesFor(id, sample);
    expect(all, all.join('\n')).toHaveLength(count);
    if (text !== undefined) expect(all.join('\n')).toMatch(new RegExp(text, 's'));
    // Nothing of a free order says what was paid.
    if (sample.endsWith(', for free')) expect(all.join('\n')).not.toMatch(/is paid|paid: \*|0\.00/);
  },
);

it('a national number is one of the country of its parcel', async () => {
  const { provider, sample } = sampleOf('sendcloud', 'picked up, with a national number');
  const phonesOf = async (telephone: string, iso: string) => {
    const body = parseOwnJson<{ parcel: object }>(sample.body);
    Object.assign(body.parcel, { telephone, country: { iso_2: iso } });
    const results = await routeSample(provider, { ...sample, body: JSON.stringify(body) }, 'en-GB');
    return results.flatMap(({ messages }) => messages.map(({ phone }) => phone));
  };
  expect(await phonesOf('0171 3920003', 'DE')).toEqual(['491713920003']);
  expect(await phonesOf('0612345678', 'NL')).toEqual(['31612345678']);
  expect(await phonesOf('0612345678', 'FR')).toEqual(['33612345678']);
});

it('a mail in HTML is told however long it is', async () => {
  const { provider, sample } = sampleOf('postmark', 'inbound mail, only in HTML');
  for (const times of [1, 30_000, 60_000, 260_000]) {
    const body = JSON.stringify({
      ...parseOwnJson<object>(sample.body),
      HtmlBody: '<p>a &amp; b</p>'.repeat(times),
    });
    const results = await routeSample(provider, { ...sample, body }, 'en-GB');
    expect(results.flatMap(({ failures }) => failures)).toEqual([]);
    expect(results.flatMap(({ messages }) => messages)).toHaveLength(1);
  }
});
