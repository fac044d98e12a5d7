import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { compareVersions } from '../../shared/doctor/outside.ts';
import { ROOT } from '../built.ts';

interface Entry {
  readonly version: string;
  readonly text: string;
}

/** The sections of a changelog after https://keepachangelog.com, without what is unreleased. */
function entriesOf(changelog: string): readonly Entry[] {
  const [, ...sections] = changelog.split(/^## /m);
  return sections.flatMap((section) => {
    const [, version] = /^\[(\d+\.\d+\.\d+)\]/.exec(section) ?? [];
    return version === undefined ? [] : [{ version, text: section }];
  });
}

/** The first sentence of each change after version `from`, up to `to`, as the changelog has them. */
export function changesBetween(changelog: string, from: string, to: string): readonly string[] {
  return entriesOf(changelog)
    .filter(({ version }) => compareVersions(version, from) > 0 && compareVersions(version, to) <= 0)
    .flatMap(({ text }) =>
      text
        .split(/^- /m)
        .slice(1)
        .map((change) => firstSentence(change.split(/\n(?:\n|#)/)[0] ?? '')),
    );
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
