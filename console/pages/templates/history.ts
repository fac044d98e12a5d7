import type { Version } from '../../api/types.ts';
import { readSet, readVersions } from './published.ts';
import type { TextVersion, TextHistory } from './steps.ts';
import { idOf, textAt, type Doc, type TextPlace } from './texts-of-set.ts';

const PAGE = 20;
/** Sets have up to some hundred kilobytes. */
const AT_ONCE = 4;

/** Versions never change, so each is read once: of its set only this text is kept. */
const known = new Map<string, Doc | null>();

export async function readSteps(place: TextPlace, pages: number, signal: AbortSignal): Promise<TextHistory> {
  const versions: Version[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < pages; page += 1) {
    const { items, next_cursor } = await readVersions(cursor, PAGE, signal);
    versions.push(...items);
    cursor = next_cursor ?? undefined;
    if (cursor === undefined) break;
  }
  const steps: TextVersion[] = [];
  for (let at = 0; at < versions.length; at += AT_ONCE) {
    const some = versions.slice(at, at + AT_ONCE);
    const texts = await Promise.all(some.map(({ version }) => textIn(version, place, signal)));
    steps.push(...some.map((version, index) => ({ version, text: texts[index] ?? null })));
  }
  return { steps, isAll: cursor === undefined };
}

async function textIn(version: number, place: TextPlace, signal: AbortSignal): Promise<Doc | null> {
  const key = `${version} ${idOf(place)}`;
  const found = known.get(key);
  if (found !== undefined) return found;
  const text = textAt((await readSet(version, signal)).set, place);
  known.set(key, text);
  return text;
}
