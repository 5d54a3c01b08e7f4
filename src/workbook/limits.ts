/** Bounds of what is read: a small file can expand to gigabytes, by compression and by cells that repeat one long text. */

/** A formula of which the file has no value comes as its own text, after this sign. */
export const FORMULA = '='

/** Rows and columns of a sheet: what spreadsheet programs allow (ECMA-376 leaves it to them; Excel specifications and limits). */
export const MAX_ROWS = 1_048_576
export const MAX_COLUMNS = 16_384
/** Characters of a cell that Excel takes. A file with longer ones is "repaired" by it. */
export const MAX_CELL_TEXT = 32_767

/** Bytes of a workbook as it comes. A million rows of a list of items are 40 MB. */
export const MAX_FILE_BYTES = 128 * 1024 * 1024
/** Bytes of the parts that say what is in the workbook, unpacked; each is some kilobytes. */
export const MAX_PART_BYTES = 8 * 1024 * 1024
/** Bytes of the table of texts, unpacked, because it is kept in memory. */
export const MAX_STRINGS_BYTES = 256 * 1024 * 1024
export const MAX_STRINGS = 4_000_000
/** Bytes of a sheet, unpacked; it is read as it is unpacked and kept nowhere. A million rows of a list of items are 1.1 GB. */
export const MAX_SHEET_BYTES = 2 * 1024 * 1024 * 1024

/** Characters of the cells of one row, as the rows of a CSV are bounded. */
export const MAX_ROW_TEXT = 1 << 20
/**
 * Characters of all cells of a sheet: a long text that each of a million cells names is in the file once and would be in memory a
 * million times.
 */
export const MAX_SHEET_TEXT = 512 * 1024 * 1024

/** Characters of XML between two events: a tag, a text, a comment. */
export const MAX_TOKEN = 2 * 1024 * 1024
export const MAX_DEPTH = 64
