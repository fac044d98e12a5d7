import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseDocument } from 'yaml';
import { readProvider, type ProviderParts } from '../src/config/documents/provider-file.ts';

const FOLDER = join(import.meta.dirname, '../providers');

let read: ReadonlyMap<string, ProviderParts> | undefined;

/** Every provider that hookbell ships, by its id: those that lists show first, then the others by their ids. */
export function shippedProviders(): ReadonlyMap<string, ProviderParts> {
  read ??= new Map(
    readdirSync(FOLDER)
      .filter((file) => file.endsWith('.yaml'))
      .map((file) => [file.slice(0, -'.yaml'.length), readFile(file)] as const)
      .toSorted(([a, { provider: one }], [b, { provider: other }]) => {
        const [first, second] = [one.popular ?? Infinity, other.popular ?? Infinity];
        return first === second ? (a < b ? -1 : 1) : first - second;
      }),
  );
  return read;
}

function readFile(file: string): ProviderParts {
  const document = parseDocument(readFileSync(join(FOLDER, file), 'utf8'));
  const [wrong] = document.errors;
  if (wrong !== undefined) throw new Error(`providers/${file}: ${wrong.message}`);
  const provider = readProvider(file.slice(0, -'.yaml'.length), document.toJS());
  if (provider.ok) return provider.value;
  throw new Error(
    `providers/${file}\n${provider.error.map(({ path, message }) => `  ${path}: ${message}`).join('\n')}`,
  );
}
