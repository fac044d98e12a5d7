/** Finds data that no message to a team may have: with it one can act as somebody else, or pay with their money. */
export function privateIn(text: string): readonly string[] {
  return [
    ...(/\{\s*"[^"]+"\s*:|\[\s*\{\s*"/.test(text) ? ['raw JSON'] : []),
    ...tokensIn(text),
    ...numbersIn(text),
    ...ibansIn(text),
  ];
}

/** Names of query parameters that let in whoever has the address. */
const SECRET_PARAMETER =
  /[?&;#]([\w.-]*(?:token|signature|secret|password|passcode|credential)|(?:[\w.-]*[_.-])?(?:sig|pwd|auth|api_?key|key|jwt|code|hash|policy)|awsaccesskeyid)=[^&\s]{4,}/gi;

const tokensIn = (text: string): readonly string[] =>
  [...text.matchAll(/https?:\/\/\S+/g)].flatMap(([url]) =>
    [...url.matchAll(SECRET_PARAMETER)]
      // A parcel's code beside its carrier is the number on its label.
      .filter(([, name]) => name !== 'code' || !/[?&]carrier=/.test(url))
      .map(([, name]) => `a link with \`${name}\``),
  );

/** ISO/IEC 7812: 13 to 19 digits, the last of which is their check digit. */
const numbersIn = (text: string): readonly string[] =>
  [...text.replaceAll(/https?:\/\/\S+/g, '').matchAll(/(?<![\d+.])\d(?:[ -]?\d){12,18}(?!\.?\d)/g)]
    .map(([number]) => number.replaceAll(/\D/g, ''))
    .filter((digits) => /^[3-6]/.test(digits) && isLuhn(digits))
    .map(() => 'a whole card number');

function isLuhn(digits: string): boolean {
  const sum = digits
    .split('')
    .toReversed()
    .reduce((all, digit, at) => {
      const value = Number(digit) * (at % 2 === 0 ? 1 : 2);
      return all + (value > 9 ? value - 9 : value);
    }, 0);
  return sum % 10 === 0;
}

/** ISO 13616: the rest of the division by 97 is 1. */
const ibansIn = (text: string): readonly string[] =>
  [...text.matchAll(/\b[A-Z]{2}\d{2}(?: ?[A-Z\d]{4}){2,7}(?: ?[A-Z\d]{1,3})?\b/g)]
    .map(([iban]) => iban.replaceAll(' ', ''))
    .filter((iban) => {
      const moved = iban.slice(4) + iban.slice(0, 4);
      const digits = moved.replaceAll(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55));
      return BigInt(digits) % 97n === 1n;
    })
    .map(() => 'a whole account number (IBAN)');
