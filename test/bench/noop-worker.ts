/** Answers, and does nothing: what the runtime and the load generator can do at most. */
export default {
  fetch: (request) =>
    request.method === 'POST' ? Response.json({ ok: true }, { status: 202 }) : new Response('up'),
} satisfies ExportedHandler;
