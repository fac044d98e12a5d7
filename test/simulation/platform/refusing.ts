/** An object of the platform; asking it for something that is not simulated is an error and not `undefined`. */
export const refusing = <Target extends object>(what: string, target: Target): Target =>
  new Proxy(target, {
    get: (all, key): unknown => {
      if (key in all || typeof key === 'symbol' || key === 'then' || key === 'toJSON')
        return Reflect.get(all, key);
      throw new Error(`${what} has no \`${key}\` in the simulation: build it in test/simulation/platform`);
    },
  });
