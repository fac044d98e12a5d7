import { readFileSync } from 'node:fs';
import { join, normalize } from 'node:path';
import { currentInvocation, io, spendCall } from './owner.ts';
import type { Parts } from './parts.ts';
import { refusing } from './refusing.ts';

const FOLDER = join(import.meta.dirname, '../../../assets');

const read = new Map<string, string | null>();

/** A static asset of the deployment, or 404. */
function assetAt(path: string): Response {
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

/** The binding of the deployment's assets. */
export const assetsOf = ({ scheduler, latency }: Parts): object =>
  refusing('`ASSETS`', {
    fetch: (address: string) => {
      const invocation = currentInvocation('ASSETS');
      return io<Response>(invocation, ({ resolve }) => {
        spendCall(invocation);
        scheduler.after(latency(), () => resolve(assetAt(new URL(address).pathname)));
      });
    },
  });
