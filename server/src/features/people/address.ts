// The address of e-mail by which a person signs in: how two are compared, so that nobody is there twice.

/** An address in the one form in which it is compared and kept unique: case and the ways of writing one character do not count. */
export const addressOf = (email: string): string => email.normalize('NFC').toLowerCase()
