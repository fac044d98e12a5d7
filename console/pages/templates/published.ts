import { sameDocument } from '../../../shared/yaml-patch/same.ts';
import { ask, get, getTagged, put, Refused } from '../../api/client.ts';
import type { ChangeReceipt, VersionPage, Written } from '../../api/types.ts';
import { textAt, withText, type TextPlace, type TextSet } from './texts-of-set.ts';

export interface PublishedTexts {
  readonly set: TextSet;
  readonly version: number;
}

/** The version in force, or an older one. */
export async function readSet(version?: number, signal?: AbortSignal): Promise<PublishedTexts> {
  const { value, tag } = await getTagged<TextSet>('/config', { version }, signal);
  return { set: value, version: Number(/\d+/.exec(tag ?? '')?.[0] ?? 0) };
}

export const readVersions = (cursor?: string, limit = 20, signal?: AbortSignal): Promise<VersionPage> =>
  get<VersionPage>('/config/versions', { limit, cursor }, signal);

/** Others may publish something else at the same time, and again while that is looked at. */
const MAX_TRIES = 4;

/**
 * Publishes a text, if nobody else has published it since `base` was read: then there is no receipt, and nothing was
 * changed. Other people's changes to the rest of the set stay.
 * @throws {Refused} when the API refuses it.
 */
export async function publishText(
  first: PublishedTexts,
  place: TextPlace,
  { text, base, note }: { readonly text: Written; readonly base: Written | null; readonly note: string },
) {
  let now = first;
  for (let tries = 1; ; tries += 1) {
    if (!sameDocument(textAt(now.set, place), base)) return { now, receipt: null };
    const { collection, name, document } = withText(now.set, place, text);
    try {
      const path = `/${collection}/${encodeURIComponent(name)}`;
      const receipt = await put(path, document, `"${now.version}"`, { note });
      return { now: await readSet(), receipt };
    } catch (thrown) {
      if (!(thrown instanceof Refused) || thrown.status !== 412 || tries === MAX_TRIES) throw thrown;
      now = await readSet();
    }
  }
}

/** Puts a whole version in force again, unless another than `current` is by now. */
export const activate = (version: number, current: number): Promise<ChangeReceipt> =>
  ask<ChangeReceipt>('POST', `/config/versions/${version}/activate`, { body: {}, tag: `"${current}"` });
