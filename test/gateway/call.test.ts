import { describe, expect, it } from 'vitest';
import { checkCall } from '../../src/gateway/call.ts';
import { err, ok } from '../../src/lib/result.ts';

const phone = '4915112345678';
const params = { message: 'hello' };

describe('checkCall', () => {
  it.each([
    { kind: 'text', phone, params },
    { kind: 'image', phone, params: { image_url: 'https://x.example/a.png' } },
    { kind: 'image', phone, params: { image_url: 'https://x.example/a.png', caption: '' } },
    { kind: 'voice', phone, params: { audio_url: 'https://x.example/a.ogg' } },
    { kind: 'link-preview', phone, params: { url: 'https://x.example', title: 'x' } },
    { kind: 'poll', phone, params: { question: 'Lunch?', options: 'yes,no' } },
    { kind: 'status', phone: null, params: { text: 'open' } },
  ])('$kind with $params can be sent', (call) => {
    expect(checkCall(call)).toEqual(ok(call));
  });

  it.each([
    [
      { kind: 'sms', phone, params },
      'there is no kind `sms`; the kinds are text, image, voice, link-preview, poll, status',
    ],
    [{ kind: 'text', phone: null, params }, 'a `text` message needs a receiver'],
    [{ kind: 'status', phone, params: { text: 'x' } }, 'a `status` message has no receiver'],
    [
      { kind: 'text', phone: '+4915112345678', params },
      'the receiver must be digits that start with the country code',
    ],
    [
      { kind: 'text', phone: '015112345678', params },
      'the receiver must be digits that start with the country code',
    ],
    [{ kind: 'text', phone, params: {} }, 'a `text` message needs the parameter `message`, and it is empty'],
    [
      { kind: 'text', phone, params: { message: ' ' } },
      'a `text` message needs the parameter `message`, and it is empty',
    ],
    [
      { kind: 'text', phone, params: { ...params, caption: 'x' } },
      'a `text` message has no parameter `caption`',
    ],
    [
      { kind: 'text', phone, params: { ...params, api_key: 'x' } },
      'a `text` message has no parameter `api_key`',
    ],
    [{ kind: 'text', phone, params: { ...params, phone: '1' } }, 'a `text` message has no parameter `phone`'],
  ])('%j is refused', (call, reason) => {
    expect(checkCall(call)).toEqual(err(reason));
  });
});
