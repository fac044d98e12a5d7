import { constants, deflateRawSync, inflateRawSync } from 'node:zlib';

/** A JSON text as an event's row has it: as it is, or compressed (RFC 1951), if the row would be too large. */
export type Packed = string | ArrayBuffer;

/** The maximum length of a text that is compressed, in UTF-16 units: whoever reads it needs memory for all of it. */
export const MAX_PACKED_LENGTH = 8 * 1_048_576;

export const pack = (text: string): ArrayBuffer =>
  new Uint8Array(deflateRawSync(text, { level: constants.Z_BEST_SPEED })).buffer;

/** Returns the text. Synchronous, since a notification is rendered within a commit. */
export const unpack = (stored: Packed): string =>
  typeof stored === 'string' ? stored : inflateRawSync(stored).toString();

/** The size in a row: bytes, or roughly, UTF-16 units. */
export const packedSize = (stored: Packed): number =>
  typeof stored === 'string' ? stored.length : stored.byteLength;
