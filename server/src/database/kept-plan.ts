// Has PostgreSQL keep the plan of a named statement over arrays of items, instead of making one for each execution.

/**
 * A condition that every item meets, over its number (`with ordinality`). PostgreSQL reckons with ten elements of an array that is a
 * parameter, so the plan for any number looks dearer than one made for the one or two items of a quiet server. It would make that one each
 * time, in twice the time that carrying it out takes. Of items between two numbers, it reckons with one.
 */
export const keepsPlan = (number: string): string => `${number} between 1 and 2147483647`
