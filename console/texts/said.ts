import { clock } from '../lib/format.ts';
import { translator } from '../lib/said.ts';
import { COUNTED_DE, PLACES_DE, SAID_DE } from './said-de.ts';
import { language, t } from './texts.ts';

const translate =
  language === 'de'
    ? translator({ pairs: SAID_DE, counted: COUNTED_DE, places: PLACES_DE })
    : (text: string): string => text;

const ISO_TIME = /\b\d{4}-\d\d-\d\dT[\d:.]+Z/g;

/** A sentence of the relay in the person's language, with its times in their zone. What is not the relay's own stays. */
export const said = (text: string): string =>
  (translate(text) ?? text).replaceAll(ISO_TIME, (iso) => clock(iso, Date.now()));

/** Who did something; who has no name of their own did it by the token. */
export const whoOf = (by: string): string => (by === 'token' ? t.common.byToken : by);

/** For texts that also quote what a gateway answered. */
export const says = { said, quote: t.common.quote };
