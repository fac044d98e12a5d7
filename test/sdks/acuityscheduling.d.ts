/** The part of a package without types that the tests use. */
declare module 'acuityscheduling' {
  /** Throws when the signature is another one. */
  export function verifyMessageSignature(apiKey: string, body: string, signature: string): void;
  const acuity: { readonly verifyMessageSignature: typeof verifyMessageSignature };
  export default acuity;
}
