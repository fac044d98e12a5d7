/** The `User-Agent` by which `hookbell doctor` asks each source's address. */
export const DOCTOR_AGENT = 'hookbell-doctor';
