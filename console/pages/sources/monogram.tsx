/** A provider's initial in place of a logo. Its colour is by its name, one of six. */
export const Monogram = ({ name }: { name: string }) => (
  <span class={`sources-monogram hue-${hueOf(name)}`} aria-hidden="true">
    {[...name][0]?.toUpperCase() ?? '?'}
  </span>
);

const hueOf = (name: string): number =>
  [...name].reduce((sum, letter) => sum + (letter.codePointAt(0) ?? 0), 0) % 6;
