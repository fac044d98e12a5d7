import type { Provider } from '../provider.ts';

/**
 * Microsoft Graph's change notifications. A notification only names the resource that changed; its content has to be
 * fetched.
 */
export const microsoftGraph: Provider = {
  id: 'microsoft-graph',
  name: 'Microsoft Graph change notifications',
  category: 'other',
  verify: { scheme: 'token', in: 'body', name: 'clientState', items: 'value' },
  event_type: ['body:value.0.changeType', 'body:value.0.lifecycleEvent'],
  dedupe: [],
  items: { at: 'value', id: ['body:id'] },
  handshakes: [
    {
      match: { method: 'POST', where: [{ at: 'query:validationToken' }] },
      proof: { by: 'nothing' },
      respond: { status: 200, body: { text: { echo: 'query:validationToken' } } },
    },
  ],
};
