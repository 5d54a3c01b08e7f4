/** QR codes for a terminal. */
import type { Paint } from './types.js'

/** A QR code made of half blocks, dark on light as scanners expect it. Without colour it is drawn for a dark terminal. */
export async function qrCode(text: string, paint: Paint): Promise<string> {
  const { default: qrcode } = await import('qrcode')
  // The blocks have the colour of the text: on a dark terminal, that is the light part of the code.
  const color = paint.level > 0 ? undefined : { dark: '#ffffff', light: '#000000' }
  const code = await qrcode.toString(text, { type: 'utf8', errorCorrectionLevel: 'L', margin: 2, color })
  return code.replace(/^.+$/gm, paint.blackOnWhite)
}
