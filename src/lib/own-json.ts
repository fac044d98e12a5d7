/** Parses JSON that this code wrote to its own tables, and trusts its type. A schema checks all other JSON. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- names what the writer wrote
export function parseOwnJson<Value>(text: string): Value {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the row's writer is the proof
  return JSON.parse(text) as Value;
}
