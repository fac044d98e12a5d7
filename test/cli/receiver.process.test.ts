import { beforeAll, describe, expect, it } from 'vitest';
import { createClient } from '../../cli/client.ts';
import { readReceiver } from '../../cli/receiver.ts';
import { OPEN_SET, publish, relayUrl, TOKEN } from './support.ts';

/** The digits, or why there are none. */
async function read(to: string, country?: string, url = relayUrl()): Promise<string> {
  const receiver = await readReceiver(createClient({ url, token: TOKEN }), to, country);
  return receiver.ok ? receiver.value : receiver.error.message;
}

describe('a receiver that a person writes', () => {
  beforeAll(() =>
    publish({
      ...OPEN_SET,
      sources: { open: OPEN_SET.sources.open, vienna: { ...OPEN_SET.sources.open, country: 'AT' } },
    }),
  );

  it.each([
    ['4915112345678', undefined],
    ['+49 151 12345678', undefined],
    ['0049 151 12345678', undefined],
    ['0151 12345678', 'DE'],
    ['0151/12345678', 'de'],
    ['+49 151 12345678', 'AT'],
  ])('is the digits of %j in %j', async (to, country) => {
    expect(await read(to, country)).toBe('4915112345678');
  });

  it('is never guessed: the countries of the sources that it is valid in are named', async () => {
    expect(await read('0151 12345678')).toBe(
      '--to: 0151 12345678 has no country code: write +4915112345678, or add --country DE; +4315112345678, or add --country AT',
    );
    expect(await read('0664 1234567')).toMatch(/\+436641234567, or add --country AT$/);
    expect(await read('0151')).toMatch(/: write \+49 151 …, or add --country DE$/);
  });

  it('is refused all the same where the sources cannot be read', async () => {
    expect(await read('0151 12345678', undefined, 'http://127.0.0.1:1')).toMatch(/has no country code/);
  });
});
