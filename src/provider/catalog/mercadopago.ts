import type { Provider } from '../provider.ts';
import { hmac } from '../schemes.ts';

const signedWith = (id: string) =>
  hmac({
    header: ['x-signature'],
    list_separator: ',',
    key_value_separator: '=',
    keys: ['v1'],
    signed: `[id:{${id}};][request-id:{header:x-request-id};]ts:{ts};`,
    unsigned_body: true,
    signed_once: true,
    // It retries for hours. The documents do not say if the time is new each time.
    timestamp: { signature_param: 'ts', unit: 'auto', tolerance: 86_400_000 },
  });

/** Mercado Pago. The body is not signed, so a template should only believe `query["data.id"]`. */
export const mercadopago: Provider = {
  id: 'mercadopago',
  name: 'Mercado Pago',
  subject: '{{ payload.data.id }}',
  category: 'payments',
  // Ids of orders have letters. Its library signs them unchanged, but its documents say in lower case.
  verify: { scheme: 'any', of: [signedWith('query:data.id'), signedWith('query_lower:data.id')] },
  event_type: ['body:action', 'body:type', 'query:type'],
  // The only signed id. The body's id could be changed for a replay.
  dedupe: ['header:x-request-id'],
  answers: [{ status: 200 }],
};
