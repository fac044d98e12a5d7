/**
 * Parses a JSON text that this code itself wrote to its tables, and trusts its type. Anything from outside is checked
 * by a schema instead.
 */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- names what the writer wrote
export function parseOwnJson<Value>(text: string): Value {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the row's writer is the proof
  return JSON.parse(text) as Value;
}
