import { readSet } from '../../config/registry-client.ts';
import { recipientsSchema } from '../../config/recipients-schema.ts';
import type { RotationDocument } from '../../config/rotation-schema.ts';

/** A list as it was written, with its rotation. */
interface FoundRotation {
  readonly document: { readonly rotation: object };
  readonly rotation: RotationDocument;
  readonly version: number;
}

/** Reads the rotation of a list; null if there is no such list, or its people take no turns. */
export async function findRotation(env: Env, list: string): Promise<FoundRotation | null> {
  const current = await readSet(env);
  const document = Object.entries(current?.set.recipients ?? {}).find(([name]) => name === list)?.[1];
  const rotation = recipientsSchema.safeParse(document).data?.rotation;
  if (current === null || rotation === undefined || !hasRotation(document)) return null;
  return { document, rotation, version: current.version };
}

const hasRotation = (document: unknown): document is FoundRotation['document'] =>
  typeof document === 'object' && document !== null && 'rotation' in document;
