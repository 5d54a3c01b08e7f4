/** How buyers pay, by name. */
import type { Session } from './session.js'

export async function askForPayment(session: Session): Promise<void> {
  const { prompts } = session.ctx
  const payments = (await session.names('payments'))?.payments() ?? []
  if (payments.length === 0) {
    const message = 'Payment type ids, with commas between (Enter for none)'
    const check = (text: string) => session.faultOf('payment', idsIn(text))
    const { ids = '' } = await prompts.fill([{ kind: 'text', key: 'ids', flag: '--payment', message, optional: true, check }])
    session.set('payment', idsIn(ids))
    return
  }
  let isEmpty = false
  const chosen = await prompts.many({
    message: 'Payment (Space marks, Enter goes on)',
    choices: payments.map(({ id, name }) => ({ value: String(id), name })),
    chosen: session.list('payment'),
    check: (values) => {
      // Who has not found Space yet presses Enter at once.
      const again = isEmpty
      isEmpty = values.length === 0
      if (isEmpty && !again) return 'Nothing is marked. Mark with Space, or press Enter again for none.'
      return isEmpty ? undefined : session.faultOf('payment', values)
    },
  })
  session.set('payment', chosen)
}

function idsIn(text: string): string[] {
  return text
    .split(',')
    .map((id) => id.trim())
    .filter((id) => id !== '')
}
