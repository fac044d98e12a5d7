import { CERTIFICATES } from '../conformance/senders/certificate-senders.ts';
import { GOOGLE_KEYS, googleKeySet } from '../conformance/senders/cloud-senders.ts';
import { RSA_CERTIFICATE } from '../signature/certificates.ts';

/** The hosts of providers' certificates and keys, which are not to be reached here; what is for anybody else goes there. */
export default {
  fetch: async (request) => {
    if (request.url === CERTIFICATES.sns || request.url === CERTIFICATES.paypal)
      return new Response(RSA_CERTIFICATE);
    if (request.url === GOOGLE_KEYS) return Response.json(await googleKeySet());
    return fetch(request);
  },
} satisfies ExportedHandler;
