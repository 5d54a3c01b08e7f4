/** QR codes for a terminal. */

/**
 * A QR code of half blocks, dark on light as readers want it.
 * @param environment COLORFGBG, where the terminal sets it, ends with its background: 7 and from 9 on are light
 */
export async function qrCode(text: string, environment: Readonly<Record<string, string | undefined>>): Promise<string> {
  const { default: qrcode } = await import('qrcode')
  const background = Number(environment.COLORFGBG?.split(';').at(-1) ?? 0)
  const lightTerminal = background === 7 || background >= 9
  // What is drawn has the terminal's foreground: on a dark one that is the light part of the code.
  const color = lightTerminal ? undefined : { dark: '#ffffff', light: '#000000' }
  return qrcode.toString(text, { type: 'utf8', errorCorrectionLevel: 'L', margin: 2, color })
}
