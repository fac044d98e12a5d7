import type { Provider } from '../provider.ts';
import { metaWhatsapp } from './meta-whatsapp.ts';

/** Meta's lead ads, posted as its apps post everything. One request may hold several leads. */
export const metaLeadAds: Provider = {
  ...metaWhatsapp,
  id: 'meta-lead-ads',
  name: 'Meta Lead Ads (Facebook, Instagram)',
  category: 'forms',
  items: { at: 'entry.*.changes', id: ['body:value.leadgen_id'] },
};
