import type { Maker } from '../shape.ts';
import { evolution } from './evolution.ts';
import { ntfy } from './ntfy.ts';
import { pushover } from './pushover.ts';
import { signal } from './signal.ts';
import { telegram } from './telegram.ts';
import { twilio } from './twilio.ts';
import { waha } from './waha.ts';
import { whatsappCloud } from './whatsapp-cloud.ts';

/** The gateways of other makers. They are data, and compiled only at their first use. */
export const MAKERS: readonly Maker[] = [
  ntfy,
  telegram,
  pushover,
  signal,
  waha,
  evolution,
  whatsappCloud,
  twilio,
];

export const findMaker = (id: string): Maker | undefined => MAKERS.find((maker) => maker.id === id);
