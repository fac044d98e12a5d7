/** A key of a document that nothing has checked yet. */
export const own = (document: unknown, key: string): unknown =>
  typeof document === 'object' && document !== null && Object.hasOwn(document, key)
    ? Reflect.get(document, key)
    : undefined;
