// Makes PostgreSQL keep the plan of a named statement over arrays of items, instead of making one for each execution.

/**
 * A condition that every item meets, over its number (`with ordinality`). PostgreSQL assumes ten elements for an array
 * that is a parameter, so the generic plan looks more expensive than a plan made for the one or two items of a quiet
 * server. It would make such a plan each time, which takes twice as long as running it. For items between two numbers,
 * it assumes one.
 */
export const keepsPlan = (number: string): string => `${number} between 1 and 2147483647`
