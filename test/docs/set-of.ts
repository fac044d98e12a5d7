import { parseAllDocuments } from 'yaml';
import { KINDS, type DocumentKind } from '../../src/config/documents/name.ts';
import { EMPTY_SET, type ConfigSet } from '../../src/config/documents/schema.ts';

const verifyNone = { verify: { scheme: 'none' } };

/** Lists that readers fill themselves. */
const LISTS = { team: { numbers: [] }, 'on-call': { numbers: [] }, 'shop-owners': { numbers: [] } };

/** A piece of YAML as a set: each document begins with a comment that says where it stands, or is a part of a source. */
export function setOf(yaml: string): ConfigSet {
  const set: Record<DocumentKind, Record<string, unknown>> = {
    ...structuredClone(EMPTY_SET),
    recipients: { ...LISTS },
  };
  for (const piece of yaml.split(/^---$/m)) {
    const [, folder, name = 'part'] = /^\s*# (\w+)\/([\w-]+)\.yaml/.exec(piece) ?? [];
    const kind = KINDS.find((one) => one === folder) ?? 'sources';
    for (const document of parseAllDocuments(piece)) {
      if (document.errors[0] !== undefined) throw document.errors[0];
      const written: unknown = document.toJS();
      const frame = folder === undefined ? verifyNone : {};
      set[kind][name] = { ...frame, ...(typeof written === 'object' && written) };
    }
  }
  return set;
}
