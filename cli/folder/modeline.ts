import type { DocumentKind } from '../../src/config/documents/name.ts';
import { ROOT } from '../built.ts';
import type { Cli } from '../command.ts';

import path, { join, relative, resolve } from 'node:path';

/** A new document's text with the line by which editors find its schema: beside this hookbell, else at the relay. */
export function withModeline(
  { place, relayUrl }: Pick<Cli, 'place' | 'relayUrl'>,
  kind: DocumentKind,
  file: string,
  text: string,
): string {
  const name = kind === 'recipients' ? kind : kind.slice(0, -'s'.length);
  const schema = join(ROOT, 'assets', 'schemas', `${name}.json`);
  const isHere = !relative(process.cwd(), ROOT).startsWith('..');
  const url = relayUrl();
  const deployed = place.at === 'here' || !url.ok ? null : `${url.value}/schemas/${name}.json`;
  const address = isHere ? pathFrom(resolve(file), schema) : deployed;
  return address === null || file.endsWith('.json')
    ? text
    : `# yaml-language-server: $schema=${address}\n${text}`;
}

/** The path from one file to another, with slashes: a file that is made on Windows is used on others. */
export const pathFrom = (file: string, other: string, system = path): string =>
  system.relative(system.dirname(file), other).split(system.sep).join('/');
