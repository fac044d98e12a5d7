import type { Provider } from '../provider.ts';
import { metaWhatsapp } from './meta-whatsapp.ts';

/** Meta's lead ads, posted like everything from its apps. One request may contain several leads. */
export const metaLeadAds: Provider = {
  ...metaWhatsapp,
  id: 'meta-lead-ads',
  name: 'Meta Lead Ads (Facebook, Instagram)',
  subject:
    '{{ payload.entry[0].changes[0].value.leadgen_id }}{% if payload.entry.size > 1 %} +{{ payload.entry.size | minus: 1 }}{% endif %}',
  category: 'forms',
  items: { at: 'entry.*.changes', id: ['body:value.leadgen_id'] },
};
