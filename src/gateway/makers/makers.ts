import type { Maker, MakerInWords } from '../shape.ts';
import * as evolution from './evolution.ts';
import { MAKER_IDS, type MakerId } from './ids.ts';
import * as ntfy from './ntfy.ts';
import * as pushover from './pushover.ts';
import * as signal from './signal.ts';
import * as telegram from './telegram.ts';
import * as twilio from './twilio.ts';
import * as waha from './waha.ts';
import * as whatsappCloud from './whatsapp-cloud.ts';

const BY_ID: Readonly<Record<MakerId, { readonly maker: Maker; readonly words: MakerInWords }>> = {
  ntfy,
  telegram,
  pushover,
  signal,
  waha,
  evolution,
  'whatsapp-cloud': whatsappCloud,
  twilio,
};

/** The gateways of other makers. They are data, and compiled only at their first use. */
export const MAKERS = MAKER_IDS.map((id) => ({ id, ...BY_ID[id].maker }));

export const findMaker = (id: string) => MAKERS.find((maker) => maker.id === id);

/** The same in words, for setup and documentation. The Worker's facts do not contain them. */
export const MAKERS_IN_WORDS = MAKER_IDS.map((id) => ({
  id,
  name: BY_ID[id].maker.name,
  ...BY_ID[id].words,
}));

/** The facts that people need to choose a gateway. The standard gateway comes first, then those of other makers. */
export const GATEWAYS = [
  {
    id: 'v2',
    name: 'Gateway of the API v2',
    costs: 'depends on your plan',
    needs: 'an account with that API, and a phone linked to it',
  },
  ...MAKERS_IN_WORDS,
];
