import type { PageLanguage } from '../../shared/gateway-words.ts';
import { clock } from '../lib/format.ts';
import { seenText } from '../lib/hidden.ts';
import { translator } from '../lib/said.ts';
import { COUNTED_DE, PLACES_DE, SAID_DE } from './said-de.ts';
import { language, t } from './texts.ts';

type Translate = (text: string) => string | null;

let translate: Translate =
  language === 'de' ? translator({ pairs: SAID_DE, counted: COUNTED_DE, places: PLACES_DE }) : noteText;

/** The API names a change by its method. */
function noteText(text: string): string {
  return text.replace(/^(put|delete) (?=\w+\/)/, (_, method) => (method === 'put' ? 'saved ' : 'deleted '));
}

let loading: Promise<void> | null = null;
const listeners = new Set<() => void>();

/** Calls `listener` when more sentences are loaded, since shown ones may have a translation now. */
export function onWords(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** The sentences that few screens show are a file of their own. Until it is there, or if it is gone, they are English. */
export function loadWords(): Promise<void> {
  if (language !== 'de') return Promise.resolve();
  loading ??= addWords().catch(() => undefined);
  return loading;
}

async function addWords(): Promise<void> {
  const { MORE_COUNTED_DE, MORE_DE } = await import('./said-de/more.ts');
  const counted = { ...MORE_COUNTED_DE, ...COUNTED_DE };
  // A gateway's options are among these.
  const words = Object.entries(t.sources.gatewayWords);
  translate = translator({ pairs: [...SAID_DE, ...MORE_DE, ...words], counted, places: PLACES_DE });
  for (const listener of listeners) listener();
}

/** The end of an override is the clock of its rotation. */
const ISO_TIME = /\b\d{4}-\d\d-\d\dT(?:[\d:.]+Z|\d\d:\d\d(?=\)))/g;

/** A sentence of the relay in the person's language, with its times in their zone. Words that are not the relay's own stay. */
export const said = (text: string): string =>
  text
    .split('\n')
    .map(sentence)
    .join('\n')
    .replaceAll(ISO_TIME, (iso) => clock(iso, Date.now()));

function sentence(line: string): string {
  const found = translate(line);
  if (found === null && line !== '') void loadWords();
  return found ?? line;
}

/** Returns the name of the person who did something; a person without a name did it with the token. */
export const whoOf = (by: string): string => (by === 'token' ? t.common.byToken : by);

/** The same, after *by* in a sentence. */
export const byWhom = (by: string): string => (by === 'token' ? t.messages.theToken : by);

/** For texts that also quote what a gateway answered. */
export const says: PageLanguage = {
  said: (text) => said(seenText(text) ?? ''),
  quote: t.common.quote,
};
