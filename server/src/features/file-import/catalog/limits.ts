// The limits of what a catalogue file may contain, each with its reason.

/** Categories that a row names, and levels of one: no shop has a tenth of that. */
export const IMPORT_CATEGORIES_OF_ROW = 200
export const IMPORT_CATEGORY_LEVELS = 32
