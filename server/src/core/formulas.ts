// Keeps spreadsheets from running the cells of CSV files as formulas. The console is built with this file too.

/**
 * The beginnings of what a spreadsheet would read as a formula. Some spreadsheets split at other signs, or ignore quotes: so also
 * after those, and at the beginning of each line.
 */
const formulas = /(?:^|[,;\t\r\n] *"*)(?=[=+\-@＝＋－＠])/g

/** A text that is a number, or a list of them such as `[1,-2]`, and nothing else. */
const numbers = /^[[{"]*[+-]?\d[\d.]*(?:, ?[+-]?\d[\d.]*)*["}\]]*$/

/** The text of a cell, in which each formula begins with an apostrophe. */
export const withoutFormulas = (text: string): string =>
  numbers.test(text) ? text : text.replace(formulas, "$&'").replace(/^(?=[\t\r])/, "'")

/** The text of a cell without the apostrophe that it got at its beginning, here or in other programs. */
export const withoutApostrophe = (text: string): string => text.replace(/^'(?=[=+\-@＝＋－＠\t\r])/, '')
