import { parseOwnJson } from '../../src/lib/json.ts';

/** The variables of the Workers that the relay is measured against. */
export interface PaymentEnv {
  readonly GATEWAY_BASE_URL: string;
  readonly GATEWAY_EMAIL: string;
  readonly GATEWAY_API_KEY: string;
  readonly HOOK_SECRET: string;
}

/** A payment, and the one text message that is made of it. */
export interface PaymentMessage {
  readonly id: string;
  readonly phone: string;
  readonly text: string;
  /** Of the webhook. */
  readonly body: string;
}

interface Payment {
  readonly id: string;
  readonly data: {
    readonly amount: number;
    readonly currency: string;
    readonly customer: { readonly name: string; readonly phone: string };
  };
}

const utf8 = new TextEncoder();
let key: Promise<CryptoKey> | null = null;

const importKey = (secret: string): Promise<CryptoKey> =>
  crypto.subtle.importKey('raw', utf8.encode(secret), { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);

/** Verifies, parses and renders; null: the signature is wrong. */
export async function receivePayment(request: Request, env: PaymentEnv): Promise<PaymentMessage | null> {
  const body = await request.text();
  const hex = (request.headers.get('x-signature') ?? '').match(/../g) ?? [];
  const signature = Uint8Array.from(hex, (pair) => Number(`0x${pair}`));
  const secret = await (key ??= importKey(env.HOOK_SECRET));
  if (!(await crypto.subtle.verify('HMAC', secret, signature, utf8.encode(body)))) return null;
  const { id, data } = parseOwnJson<Payment>(body);
  const text = `Payment ${id} of ${data.amount} ${data.currency} from ${data.customer.name}`;
  return { id, phone: data.customer.phone.slice(1), text, body };
}

/** Calls the gateway. */
export const sendText = (
  { phone, text }: Pick<PaymentMessage, 'phone' | 'text'>,
  env: PaymentEnv,
  signal?: AbortSignal,
): Promise<Response> =>
  fetch(`${env.GATEWAY_BASE_URL}/send-message.php`, {
    method: 'POST',
    body: new URLSearchParams({
      phone,
      message: text,
      email: env.GATEWAY_EMAIL,
      api_key: env.GATEWAY_API_KEY,
    }),
    ...(signal && { signal }),
  });
