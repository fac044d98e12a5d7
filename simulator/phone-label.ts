/** Country calling codes of one and two digits (ITU E.164, list of assigned codes); all others have three. */
const COUNTRY_CODE = /^(?:1|7|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|\d{3})/;

/** A gateway number as people read it: `4915112345678` is `+49 151 1234 5678`. For display only: it checks nothing. */
export function phoneLabel(digits: string): string {
  const code = COUNTRY_CODE.exec(digits)?.[0];
  if (code === undefined) return digits;
  const rest = digits.slice(code.length);
  // Groups of three, and of four at the end: close to how most countries write numbers.
  const groups = rest.match(/\d{3}(?=\d{3,4}$|\d{6})|\d{4}(?=\d{4}$)|\d+/g) ?? [];
  return `+${[code, ...groups].join(' ')}`;
}
