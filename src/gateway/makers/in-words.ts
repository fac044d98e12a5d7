import type { Maker, MakerInWords } from '../shape.ts';
import { evolution, evolutionInWords } from './evolution.ts';
import { ntfy, ntfyInWords } from './ntfy.ts';
import { pushover, pushoverInWords } from './pushover.ts';
import { signal, signalInWords } from './signal.ts';
import { telegram, telegramInWords } from './telegram.ts';
import { twilio, twilioInWords } from './twilio.ts';
import { waha, wahaInWords } from './waha.ts';
import { whatsappCloud, whatsappCloudInWords } from './whatsapp-cloud.ts';

/** A gateway as people see it when they choose one. */
export interface GatewayInWords extends MakerInWords {
  readonly id: string;
  readonly name: string;
}

/** In the order in which they are offered to people. */
const MAKERS: readonly (readonly [Maker, MakerInWords])[] = [
  [ntfy, ntfyInWords],
  [telegram, telegramInWords],
  [pushover, pushoverInWords],
  [signal, signalInWords],
  [waha, wahaInWords],
  [evolution, evolutionInWords],
  [whatsappCloud, whatsappCloudInWords],
  [twilio, twilioInWords],
];

/**
 * The gateways of other makers in words, for setup and documentation. The Worker does not need the words, so its bundle
 * does not contain them.
 */
export const MAKERS_IN_WORDS: readonly GatewayInWords[] = MAKERS.map(([{ id, name }, words]) => ({
  id,
  name,
  ...words,
}));

/** The facts that people need to choose a gateway. The standard gateway comes first, then those of other makers. */
export const GATEWAYS: readonly Omit<GatewayInWords, 'repeats'>[] = [
  {
    id: 'v2',
    name: 'Gateway of the API v2',
    costs: 'depends on your plan',
    needs: 'an account with that API, and a phone linked to it',
  },
  ...MAKERS_IN_WORDS,
];
