/** A phone number in the gateway's format: digits that start with the country code (E.164: 15 at most). */
export const gatewayDigits = /^[1-9][0-9]{6,14}$/;
