import type { MakerId } from '../../src/gateway/makers/ids.ts';
import { evolution } from './evolution.ts';
import { ntfy } from './ntfy.ts';
import { pushover } from './pushover.ts';
import { signal } from './signal.ts';
import type { StandIn } from './stand-in.ts';
import { telegram } from './telegram.ts';
import { twilio } from './twilio.ts';
import { waha } from './waha.ts';
import { whatsappCloud } from './whatsapp-cloud.ts';

/** The stand-ins for other makers' gateways, by the first part of their paths. */
const BY_ID: Readonly<Record<MakerId, StandIn>> = {
  ntfy,
  telegram,
  pushover,
  signal,
  waha,
  evolution,
  'whatsapp-cloud': whatsappCloud,
  twilio,
};

export const STAND_INS: ReadonlyMap<string, StandIn> = new Map(Object.entries(BY_ID));
