/** The platform's error about a call too many. */
export const TOO_MANY_CALLS = 'Too many subrequests.';

/**
 * The same binding, each of whose calls is passed to `spend`, with what is called: of a namespace's objects, not of the namespace. It
 * throws when there are none left, as the platform does.
 */
export function counted<Binding extends object>(
  binding: Binding,
  spend: (what: string) => void,
  isNamespace = false,
): Binding {
  return new Proxy(binding, {
    get(target, key): unknown {
      const value: unknown = Reflect.get(target, key, target);
      if (typeof value !== 'function') return value;
      return (...args: unknown[]): unknown => {
        if (!isNamespace) spend(String(key));
        const answer: unknown = Reflect.apply(value, target, args);
        return isNamespace && answer instanceof Object && key === 'getByName'
          ? counted(answer, spend)
          : answer;
      };
    },
  });
}
