import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { CREDENTIALS, ENDPOINTS } from '../../simulator/endpoints.ts';
import {
  isMessageKind,
  KIND_NAMES,
  MESSAGE_KINDS,
  paramsOf,
  joinPollOptions,
  checkCall,
  whyTooLarge,
} from '../../src/gateway/kinds.ts';
import { err, ok } from '../../src/lib/result.ts';

const phone = '4915112345678';
const params = { message: 'hello' };

it('a call can be sent with what its kind needs, and is refused without that, or with more', () => {
  for (const call of [
    { kind: 'text', phone, params },
    { kind: 'image', phone, params: { image_url: 'https://x.example/a.png' } },
    { kind: 'image', phone, params: { image_url: 'https://x.example/a.png', caption: '' } },
    { kind: 'voice', phone, params: { audio_url: 'https://x.example/a.ogg' } },
    { kind: 'link-preview', phone, params: { url: 'https://x.example', title: 'x' } },
    { kind: 'poll', phone, params: { question: 'Lunch?', options: 'yes,no' } },
    { kind: 'status', phone: null, params: { text: 'open' } },
  ])
    expect(checkCall(call)).toEqual(ok(call));
  const rows = [
    [{ kind: 'sms' }, 'there is no kind `sms`; the kinds are text, image, voice, link-preview, poll, status'],
    [{ phone: null }, 'a `text` message needs a receiver'],
    [{ kind: 'status', params: { text: 'x' } }, 'a `status` message has no receiver'],
    [{ phone: `+${phone}` }, 'the receiver must be digits that start with the country code'],
    [{ phone: '015112345678' }, 'the receiver must be digits that start with the country code'],
    [{ params: {} }, 'a `text` message needs the parameter `message`, and it is empty'],
    [{ params: { message: ' ' } }, 'a `text` message needs the parameter `message`, and it is empty'],
    [{ params: { ...params, caption: 'x' } }, 'a `text` message has no parameter `caption`'],
    [{ params: { ...params, api_key: 'x' } }, 'a `text` message has no parameter `api_key`'],
    [{ params: { ...params, phone: '1' } }, 'a `text` message has no parameter `phone`'],
  ] as const;
  for (const [change, reason] of rows)
    expect(checkCall({ kind: 'text', phone, params, ...change })).toEqual(err(reason));
});

const named = (kind: (typeof KIND_NAMES)[number], optional: boolean): readonly string[] =>
  paramsOf(kind).flatMap(([name, { isOptional = false }]) => (isOptional === optional ? [name] : []));

it('the kinds of message are those of the simulator, which has its own list of what the gateway takes', () => {
  const ours = KIND_NAMES.map((kind) => ({
    kind,
    path: `/${MESSAGE_KINDS[kind].path}`,
    required: [...(MESSAGE_KINDS[kind].hasReceiver ? ['phone'] : []), ...named(kind, false)],
    optional: named(kind, true),
  }));
  expect(ours).toEqual(ENDPOINTS);
});

it('the kinds of message have no parameter that is taken, and are known by their own names and no inherited ones', () => {
  const login = [...CREDENTIALS.required, ...CREDENTIALS.optional];
  const taken = new Set([...login, 'phone', 'to', 'kind', 'fallback', 'account']);
  for (const kind of KIND_NAMES) expect(paramsOf(kind).filter(([name]) => taken.has(name))).toEqual([]);
  expect(KIND_NAMES.every(isMessageKind)).toBe(true);
  expect(['', 'Text', 'sms', 'toString', '__proto__'].some(isMessageKind)).toBe(false);
});

it('a message’s parameters are too large when their row would not hold them: JSON makes some characters six times as long', () => {
  const [text, escaped] = ['漢'.repeat(65_536), '\u0001'.repeat(65_536)];
  expect(whyTooLarge({ url: text, text, title: text, description: text })).toBeNull();
  expect(whyTooLarge({ url: escaped, text: escaped })).toBeNull();
  const tooLarge = whyTooLarge({ url: escaped, text: escaped, title: escaped });
  expect(tooLarge).toMatch(/1,?179,?6\d\d bytes.*800,?000/);
});

it('the options of a poll are joined by commas, trimmed and in order, a comma inside one makes no two, and they are two at least, none empty', () => {
  expect(joinPollOptions([' yes', 'no ', '\tmaybe\n'])).toEqual(ok('yes,no,maybe'));
  expect(joinPollOptions(['1,50 €', '1,50 €'])).toEqual(ok('1‚50 €,1‚50 €'));
  expect(joinPollOptions([])).toEqual(err('a poll needs at least two options, and this one has 0'));
  expect(joinPollOptions(['a'])).toEqual(err('a poll needs at least two options, and this one has 1'));
  expect(joinPollOptions(['a', ' ', 'c'])).toEqual(err('option 2 of the poll is empty'));
});

it('the options of a poll are as many for the gateway as were given, whatever is in them', () => {
  const option = fc.string({ minLength: 1 }).filter((text) => text.trim() !== '');
  fc.assert(
    fc.property(fc.array(option, { minLength: 2 }), (options) => {
      const joined = joinPollOptions(options);
      expect(joined.ok && joined.value.split(',')).toHaveLength(options.length);
    }),
  );
});
