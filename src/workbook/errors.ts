/** A file that is not the workbook it seems to be, or that is larger than any sheet of a shop. */

/** Why a workbook cannot be read, as a sentence for whoever made it. */
export class WorkbookError extends Error {
  override name = 'WorkbookError'
  /** @param row of the sheet, from 1; 0 where the file as a whole is meant */
  constructor(
    message: string,
    readonly row = 0,
  ) {
    super(message)
  }
}
