import { expect, it } from 'vitest';
import type { SendCall } from '../../src/gateway/kinds.ts';
import { v2 } from '../../src/gateway/v2.ts';

const phone = '4915112345678';
const account = {
  baseUrl: 'https://gateway.example/api',
  email: 'owner@shop.example',
  apiKey: 'k3y+/secret=42',
};
const LOGIN = 'email=owner%40shop.example&api_key=k3y%2B%2Fsecret%3D42';

/** Each kind, and the bytes of its request: what receives them is not ours, and may depend on each of them. */
const BYTES: readonly (readonly [SendCall, path: string, body: string])[] = [
  [
    { kind: 'text', phone, params: { message: 'Thanks *Anna*!\nWe got 12,50 € & more 🎉' } },
    'send-message.php',
    `message=Thanks+*Anna*%21%0AWe+got+12%2C50+%E2%82%AC+%26+more+%F0%9F%8E%89&phone=${phone}&${LOGIN}`,
  ],
  [
    { kind: 'image', phone, params: { image_url: 'https://shop.example/a.png?x=1&y=2', caption: 'A=B' } },
    'send-image.php',
    `image_url=https%3A%2F%2Fshop.example%2Fa.png%3Fx%3D1%26y%3D2&caption=A%3DB&phone=${phone}&${LOGIN}`,
  ],
  [
    { kind: 'voice', phone, params: { audio_url: 'https://shop.example/a.ogg' } },
    'send-voice.php',
    `audio_url=https%3A%2F%2Fshop.example%2Fa.ogg&phone=${phone}&${LOGIN}`,
  ],
  [
    {
      kind: 'link-preview',
      phone,
      params: { url: 'https://shop.example/', title: 'Shop', description: 'All' },
    },
    'send-link-preview.php',
    `url=https%3A%2F%2Fshop.example%2F&title=Shop&description=All&phone=${phone}&${LOGIN}`,
  ],
  [
    { kind: 'poll', phone, params: { question: 'When?', options: 'Mon,Tue 9‚30' } },
    'send-poll.php',
    `question=When%3F&options=Mon%2CTue+9%E2%80%9A30&phone=${phone}&${LOGIN}`,
  ],
  [
    { kind: 'status', phone: null, params: { text: 'We are open' } },
    'status/send-text.php',
    `text=We+are+open&${LOGIN}`,
  ],
];

it('sends each kind in exactly these bytes, the app key last, and no parameter takes the place of a credential', () => {
  for (const [call, path, body] of BYTES) {
    const request = v2(account).request(call, 'msg_1');
    if (!request.ok) throw new Error(request.error.code);
    const { url, init } = request.value;
    expect(url.href).toBe(`https://gateway.example/api/${path}`);
    expect(init).toMatchObject({ method: 'POST', body, redirect: 'manual' });
    expect(Object.fromEntries(init.headers)).toEqual({
      accept: 'application/json',
      'content-type': 'application/x-www-form-urlencoded',
      'user-agent': 'hookbell',
    });
  }
  const params = { message: 'x', email: 'evil@x.example', api_key: 'evil' };
  const request = v2({ ...account, appKey: 'app' }).request({ kind: 'text', phone, params }, 'msg_1');
  expect(request.ok && request.value.init.body).toBe(`message=x&${LOGIN}&phone=${phone}&app_key=app`);
});
