// Names from users within a sentence: each may have another text direction than the sentence, which it must not turn round.

/** The text between the characters that isolate its direction (Unicode Bidirectional Algorithm), as `<bdi>` does for an element. */
export const isolated = (text: string): string => `\u2068${text}\u2069`
