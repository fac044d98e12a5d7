import { listedOverride, turnsOfList, type OverrideByHand } from '../../config/compiled/overrides.ts';
import { readSet } from '../../config/registry-client.ts';
import { recipientsSchema } from '../../config/documents/recipients-schema.ts';
import type { Rotation } from '../../config/compiled/rotation.ts';
import type { RotationDocument } from '../../config/documents/rotation-schema.ts';

/** A list as it was written, with its rotation. */
interface FoundRotation {
  readonly document: { readonly rotation: object };
  readonly rotation: RotationDocument;
  readonly people: readonly string[];
  /** The turns, with all overrides. */
  readonly turns: Rotation;
  /** The list's overrides by hand that are kept, in the order in which they were made. */
  readonly byHand: readonly OverrideByHand[];
  readonly version: number;
}

/** Reads the rotation of a list; null if there is no such list, or its people take no turns. */
export async function findRotation(env: Env, list: string): Promise<FoundRotation | null> {
  const current = await readSet(env);
  const document = Object.entries(current?.set.recipients ?? {}).find(([name]) => name === list)?.[1];
  const { data } = recipientsSchema.safeParse(document);
  if (current === null || data?.rotation === undefined || !hasRotation(document)) return null;
  const byHand = current.overrides.filter((one) => one.list === list);
  const turns = turnsOfList(list, data, byHand.map(listedOverride));
  if (turns === null) return null;
  const people = Object.keys(data.people ?? {});
  return { document, rotation: data.rotation, people, turns, byHand, version: current.version };
}

const hasRotation = (document: unknown): document is FoundRotation['document'] =>
  typeof document === 'object' && document !== null && 'rotation' in document;
