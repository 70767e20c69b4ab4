// E-mail addresses as sign-in names: how two are compared, so that each user exists once.

/** An address in the form in which it is compared and unique: case and Unicode variants of a character do not count. */
export const addressOf = (email: string): string => email.normalize('NFC').toLowerCase()
