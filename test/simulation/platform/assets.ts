import { readFileSync } from 'node:fs';
import { join, normalize } from 'node:path';

const FOLDER = join(import.meta.dirname, '../../../assets');

const read = new Map<string, string | null>();

/** A static asset of the deployment, or 404. */
export function assetAt(path: string): Response {
  let text = read.get(path);
  if (text === undefined) {
    try {
      text = readFileSync(join(FOLDER, normalize(path)), 'utf8');
    } catch {
      text = null;
    }
    read.set(path, text);
  }
  return text === null ? new Response('not found', { status: 404 }) : new Response(text);
}
