import { receivePayment, sendText, type PaymentEnv } from './payment-worker.ts';

/**
 * The Worker that many would write by hand: verifies, renders, calls the gateway, and answers. It stores nothing, so a
 * message that the gateway does not take is lost.
 */
export default {
  async fetch(request, env) {
    if (request.method !== 'POST') return new Response('up');
    const message = await receivePayment(request, env);
    if (message === null) return new Response(null, { status: 401 });
    const answer = await sendText(message, env);
    await answer.arrayBuffer();
    return Response.json({ id: message.id }, { status: 202 });
  },
} satisfies ExportedHandler<PaymentEnv>;
