import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { app } from '../../src/app.ts';
import { envWith } from '../platform/env.ts';

/** A request under bindings that a test has changed. */
export async function knock(
  changes: Readonly<Record<string, unknown>>,
  headers: Readonly<Record<string, string>>,
  [method, path, body]: readonly [method: string, path: string, body?: string] = ['GET', '/providers'],
): Promise<Response> {
  const init = { method, headers, ...(body !== undefined && { body }) };
  const request = new Request(`https://relay.example/admin/api/v1${path}`, init);
  const ctx = createExecutionContext();
  const response = await app.fetch(request, envWith(changes), ctx);
  await waitOnExecutionContext(ctx);
  return response;
}
