import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { compareVersions } from '../../shared/doctor/outside.ts';
import { ROOT } from '../built.ts';

/** The first sentence of each change after version `from`, up to `to`, in a changelog after https://keepachangelog.com. */
export function changesBetween(changelog: string, from: string, to: string): readonly string[] {
  const [, ...sections] = changelog.split(/^## /m);
  return sections
    .filter((section) => {
      // What is unreleased has no version.
      const [, version] = /^\[(\d+\.\d+\.\d+)\]/.exec(section) ?? [];
      return version !== undefined && compareVersions(version, from) > 0 && compareVersions(version, to) <= 0;
    })
    .flatMap((section) => section.split(/^- /m).slice(1))
    .map((change) => firstSentence(change.split(/\n(?:\n|#)/)[0] ?? ''));
}

const firstSentence = (text: string): string => {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  const [sentence = line] = /^.*?[.:;](?= |$)/.exec(line) ?? [];
  return sentence.replace(/[.:;]$/, '').replaceAll(/\[([^\]]+)\]\([^)]*\)/g, '$1');
};

export const packageVersion = (): string =>
  z.object({ version: z.string() }).parse(JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')))
    .version;

export const packageChangelog = (): string => readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8');
