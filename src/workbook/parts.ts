/** The parts of a workbook of one sheet, as spreadsheet programs want them (ECMA-376 part 1: 12, 18). */

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'
const TYPES = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

/** Cell formats by their place in the styles below. */
export const STYLE = { plain: 0, header: 1, text: 2, kronor: 3, ore: 4, date: 5 } as const

// Kronor without a sign between thousands: saved as CSV they would be 1,234 kr where a program speaks English, and prices with a
// comma are refused.
const STYLES = `${HEAD}<styleSheet xmlns="${MAIN}">
<numFmts count="3"><numFmt numFmtId="164" formatCode="0&quot; kr&quot;"/><numFmt numFmtId="165" formatCode="0.00&quot; kr&quot;"/><numFmt numFmtId="166" formatCode="yyyy\\-mm\\-dd\\ hh:mm"/></numFmts>
<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts>
<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>
<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>
<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>
<cellXfs count="6"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/><xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/>${[49, 164, 165, 166].map((id) => `<xf numFmtId="${id}" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>`).join('')}</cellXfs>
<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles>
</styleSheet>`

/** Every part but the cells, by its name. @param sheet the name of the sheet */
export function workbookParts(sheet: string): readonly (readonly [name: string, text: string])[] {
  return [
    [
      '[Content_Types].xml',
      `${HEAD}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${TYPES}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${TYPES}.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="${TYPES}.styles+xml"/></Types>`,
    ],
    ['_rels/.rels', relations([`${OFFICE}/officeDocument`, 'xl/workbook.xml'])],
    [
      'xl/workbook.xml',
      `${HEAD}<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><bookViews><workbookView/></bookViews><sheets><sheet name="${textXml(sheetName(sheet)).replaceAll('"', '&quot;')}" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    ],
    [
      'xl/_rels/workbook.xml.rels',
      relations([`${OFFICE}/worksheet`, 'worksheets/sheet1.xml'], [`${OFFICE}/styles`, 'styles.xml']),
    ],
    ['xl/styles.xml', STYLES],
  ]
}

function relations(...targets: (readonly [type: string, target: string])[]): string {
  const entries = targets.map(([type, target], at) => `<Relationship Id="rId${at + 1}" Type="${type}" Target="${target}"/>`)
  return `${HEAD}<Relationships xmlns="${PACKAGE}/relationships">${entries.join('')}</Relationships>`
}

/** Sheet name that spreadsheet programs accept: characters they refuse become a space; at most 31 characters. */
function sheetName(text: string): string {
  return (
    text
      .replace(/[[\]:*?/\\'\s]+/g, ' ')
      .trim()
      .slice(0, 31) || 'Sheet1'
  )
}

/** The start of the sheet up to its rows. @param widths of the columns, characters */
export function sheetHead(widths: readonly number[], frozen: boolean): string {
  const pane = '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>'
  const columns = widths.map((width, at) => `<col min="${at + 1}" max="${at + 1}" width="${width}" customWidth="1"/>`).join('')
  return `${HEAD}<worksheet xmlns="${MAIN}"><sheetViews><sheetView tabSelected="1" workbookViewId="0">${frozen ? pane : ''}</sheetView></sheetViews><sheetFormatPr defaultRowHeight="15"/><cols>${columns}</cols><sheetData>`
}

/**
 * The end of the sheet.
 * @param ids names of columns of numbers that are texts on purpose, which Excel would mark in every cell
 */
export function sheetEnd(ids: readonly string[]): string {
  const ranges = ids.map((name) => `${name}1:${name}1048576`).join(' ')
  const ignored = `<ignoredErrors><ignoredError sqref="${ranges}" numberStoredAsText="1"/></ignoredErrors>`
  return `</sheetData>${ids.length === 0 ? '' : ignored}</worksheet>`
}

const MARKUP: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }
// Markup, what XML 1.0 cannot hold, and the sign that begins an escape. Half a surrogate pair is encoded as U+FFFD.
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for.
const SPECIAL = /[&<>\u0000-\u0008\u000b-\u001f\ufffe\uffff]|_(?=x[0-9a-fA-F]{4}_)/g

/** A text as XML of a workbook, which writes what XML cannot hold as `_x000D_` (ECMA-376 part 1, 22.4.2.4, ST_Xstring). */
export function textXml(text: string): string {
  return text.replace(
    SPECIAL,
    (character) => MARKUP[character] ?? `_x${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`,
  )
}

/** The letters of a column, from 0: 27 is `AB`. */
export function columnName(column: number): string {
  let name = ''
  for (let rest = column; rest >= 0; rest = Math.floor(rest / 26) - 1) name = String.fromCharCode(65 + (rest % 26)) + name
  return name
}
