/** Joins labels into one document, by a library that is loaded only for this. */
import { PDFDocument } from '@cantoo/pdf-lib'

/**
 * @param pdfs in the order of their pages
 * @returns one PDF of all pages; undefined for what cannot be read, with its place
 */
export async function joinedPdf(
  pdfs: readonly Uint8Array[],
): Promise<{ readonly pdf: Uint8Array } | { readonly broken: number }> {
  const whole = await PDFDocument.create()
  for (const [at, pdf] of pdfs.entries()) {
    try {
      const one = await PDFDocument.load(pdf, { throwOnInvalidObject: true, updateMetadata: false })
      for (const page of await whole.copyPages(one, one.getPageIndices())) whole.addPage(page)
    } catch {
      return { broken: at }
    }
  }
  return { pdf: await whole.save() }
}
