/** QR codes for a terminal. */

/**
 * A QR code made of half blocks, dark on light as scanners expect it.
 * @param environment COLORFGBG, if the terminal sets it, ends with the background: 7 and from 9 on are light
 */
export async function qrCode(text: string, environment: Readonly<Record<string, string | undefined>>): Promise<string> {
  const { default: qrcode } = await import('qrcode')
  const background = Number(environment.COLORFGBG?.split(';').at(-1) ?? 0)
  const lightTerminal = background === 7 || background >= 9
  // The blocks have the terminal's foreground colour: on a dark terminal, that is the light part of the code.
  const color = lightTerminal ? undefined : { dark: '#ffffff', light: '#000000' }
  return qrcode.toString(text, { type: 'utf8', errorCorrectionLevel: 'L', margin: 2, color })
}
