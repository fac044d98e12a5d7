import { err, ok } from '../../src/lib/result.ts';
import { AUDIO, given, headerOf, isWebAddress, textAt, unknownKeys, type StandIn } from './stand-in.ts';

const KEYS = [
  'topic',
  'title',
  'message',
  'priority',
  'tags',
  'click',
  'attach',
  'markdown',
  'icon',
  'filename',
];

const refuse = (code: number, error: string) =>
  err({
    status: Math.floor(code / 100),
    reason: 'ntfy_refuses',
    detail: error,
    value: { code, http: Math.floor(code / 100), error, link: 'https://ntfy.sh/docs/publish/' },
  });

/** ntfy, publishing as JSON: https://docs.ntfy.sh/publish/#publish-as-json */
export const ntfy: StandIn = {
  shown: (path) => path,
  read(request) {
    const { method, path, json, bytes } = request;
    if (path !== '/' || !['POST', 'PUT'].includes(method)) return refuse(40401, 'page not found');
    const login = headerOf(request, 'authorization');
    if (login !== '' && !/^Bearer tk_\w{5,}$/.test(login)) return refuse(40101, 'unauthorized');
    if (!/^[-_A-Za-z0-9]{0,64}$/.test(headerOf(request, 'x-sequence-id')))
      return refuse(40049, 'invalid request: sequence ID invalid');
    if (bytes > 8_192) return refuse(41303, 'JSON body too large');
    if (json === null) return refuse(40024, 'invalid request: request body must be valid JSON');
    const [unknown] = unknownKeys(json, KEYS);
    if (unknown !== undefined) return refuse(40017, 'invalid request: request body must be message JSON');
    const topic = textAt(json, 'topic');
    if (!/^[-_A-Za-z0-9]{1,64}$/.test(topic)) return refuse(40009, 'invalid request: topic invalid');
    const [message = '', attach = '', click = ''] = ['message', 'attach', 'click'].map((key) =>
      textAt(json, key),
    );
    if (attach !== '' && !isWebAddress(attach))
      return refuse(40013, 'invalid request: attachment URL is invalid');
    // The original makes an attachment of it, which nobody reads as a message.
    if (new TextEncoder().encode(message).length > 4_096)
      return refuse(41301, 'attachment too large, or bandwidth limit reached');
    const of = (kind: 'text' | 'image' | 'voice' | 'link-preview', params: Record<string, string>) =>
      ok({ kind, to: topic, params: given(params) });
    if (attach && AUDIO.test(attach)) return of('voice', { audio_url: attach });
    if (attach) return of('image', { image_url: attach, caption: message });
    if (click) return of('link-preview', { url: click, text: message, title: textAt(json, 'title') });
    return of('text', { message: message || 'triggered' });
  },
  key: (request) => headerOf(request, 'x-sequence-id') || null,
  success: ({ to, params }, id) => ({
    status: 200,
    value: {
      id: `sim${String(id).padStart(9, '0')}`,
      time: 1_700_000_000,
      expires: 1_700_043_200,
      event: 'message',
      topic: to,
      message: params['message'] ?? '',
    },
  }),
  failure: (status, error) => ({ code: status * 100 + 1, http: status, error }),
};
