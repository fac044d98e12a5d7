/** A provider's own table of currencies and their decimals, as it publishes it. */
interface PublishedTable {
  readonly providers: readonly string[];
  /** The page that it was read from. */
  readonly source: string;
  /** Codes by the number of decimals that an amount is sent with. */
  readonly decimals: readonly (readonly [decimals: number, codes: string])[];
}

const STRIPE: PublishedTable = {
  providers: ['stripe'],
  source:
    'https://docs.stripe.com/currencies: zero-decimal currencies, special cases; the others are two-decimal',
  decimals: [
    // UGX is in the page's list of these, too, but its special case says that 5 UGX are sent as 500.
    [0, 'BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'],
    // Special cases: always two decimals, which are always 00.
    [2, 'ISK UGX'],
    // Special cases: without decimals in payouts only.
    [2, 'HUF TWD'],
    [
      2,
      `AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BMD BND BOB BRL BSD BWP BZD CAD CDF CHF CNY COP CRC CVE
       CZK DKK DOP DZD EGP ETB EUR FJD FKP GBP GEL GIP GMD GTQ GYD HKD HNL HTG IDR ILS INR JMD KES KGS KHR KYD KZT LAK
       LBP LKR LRD LSL MAD MDL MKD MMK MNT MOP MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN
       QAR RON RSD RUB SAR SBD SCR SEK SGD SHP SLE SOS SRD SZL THB TJS TOP TRY TTD TZS UAH USD UYU UZS WST XCD YER ZAR
       ZMW`,
    ],
    [3, 'BHD JOD KWD OMR TND'],
  ],
};

const ADYEN: PublishedTable = {
  providers: ['adyen-payments', 'adyen-platform'],
  source: 'https://docs.adyen.com/development-resources/currency-codes: the whole table',
  decimals: [
    // "For CLP, CVE, IDR, and ISK the standard has a different number of decimals."
    [2, 'CLP ISK'],
    [0, 'CVE IDR'],
    [0, 'DJF GNF JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF'],
    [
      2,
      `AED ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BRL BSD BWP BYN BZD CAD CHF CNH CNY COP CRC CUP CZK DKK
       DOP DZD EGP ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF ILS INR JMD KES KGS KHR KYD KZT LAK LKR
       MAD MDL MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD
       RUB SAR SBD SCR SEK SGD SHP SLE SOS SRD STN SVC SZL THB TOP TRY TTD TWD TZS UAH USD UYU UZS VEF WST XCD XCG YER
       ZAR ZMW`,
    ],
    [3, 'BHD IQD JOD KWD LYD OMR TND'],
  ],
};

const PAYSTACK: PublishedTable = {
  providers: ['paystack'],
  source:
    'https://paystack.com/docs/api/#supported-currency: XOF has no subunit, and is multiplied by 100 regardless',
  decimals: [[2, 'GHS KES NGN USD XOF ZAR']],
};

/** The tables of the providers that count some currencies their own way. */
export const publishedTables: readonly PublishedTable[] = [STRIPE, ADYEN, PAYSTACK];
