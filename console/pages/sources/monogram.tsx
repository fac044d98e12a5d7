/** A provider's initial in place of a logo. Its colour is by its name, one of six. */
export const Monogram = ({ name }: { name: string }) => (
  <span class={`sources-monogram hue-${hueOf(name)}`} aria-hidden="true">
    {name.slice(0, 1).toUpperCase()}
  </span>
);

const hueOf = (name: string): number =>
  Array.from(name, (letter) => letter.codePointAt(0) ?? 0).reduce((sum, one) => sum + one, 0) % 6;
