/**
 * A freight label as the service sends it: a small PDF of one page (PDF 1.4: a catalogue, a page, its content, a font, the table
 * of places).
 */

/** 105 by 148 mm, in points. */
const SIZE = '0 0 298 420'

/** @param lines texts, of the characters of Latin-1 */
export function labelPdf(lines: readonly string[]): Buffer {
  const textOperators = lines.map((line) => `(${line.replace(/[\\()]/g, '\\$&').replace(/[^\x20-\xff]/g, '?')}) Tj T*`).join(' ')
  const content = `BT /F 16 Tf 24 TL 20 380 Td ${textOperators} ET`
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [${SIZE}] /Contents 4 0 R /Resources << /Font << /F 5 0 R >> >> >>`,
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
  ]
  let text = '%PDF-1.4\n'
  const places = objects.map((object, index) => {
    const at = text.length
    text += `${index + 1} 0 obj\n${object}\nendobj\n`
    return `${String(at).padStart(10, '0')} 00000 n \n`
  })
  const table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${places.join('')}`
  return Buffer.from(
    `${text}${table}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${text.length}\n%%EOF\n`,
    'latin1',
  )
}
