import type { Provider } from '../provider.ts';
import type { ProvingScheme } from '../../signature/scheme.ts';
import { hubspotV3 } from './hubspot-v3.ts';

/** A plain hash that begins with the secret. v3 is better; this is for senders without it. */
const hash = (version: 'v1' | 'v2', signed: string): ProvingScheme => ({
  scheme: 'hash',
  algorithm: 'sha256',
  encoding: 'hex',
  header: ['X-HubSpot-Signature'],
  require_headers: { 'X-HubSpot-Signature-Version': version },
  signed,
  secret_encoding: 'utf8',
});

/** HubSpot with its older signatures: v1 for webhooks, v2 for workflow actions. The events are the same as with v3. */
export const hubspotV1: Provider = {
  ...hubspotV3,
  id: 'hubspot-v1',
  name: 'HubSpot (v1/v2, legacy)',
  subject:
    '{{ payload[0].subscriptionType }} {{ payload[0].objectId }}{% if payload.size > 1 %} +{{ payload.size | minus: 1 }}{% endif %}',
  verify: {
    scheme: 'any',
    of: [hash('v1', '{secret}{raw_body}'), hash('v2', '{secret}{method}{url}{raw_body}')],
  },
};
