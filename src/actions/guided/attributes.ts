/** The attributes of the category: each that it requires, and of the others those that are marked. */
import type { AttributeRecord } from '../../format/views/index.js'
import { nameOf, readAttribute } from '../input/attributes.js'
import { attributesOf } from '../reference/attributes.js'
import type { Session } from './session.js'

export async function askForAttributes(session: Session): Promise<void> {
  const { prompts } = session.ctx
  const all = await knownAttributes(session)
  const others = all.filter(({ MinNumberOfValues: least }) => least === 0)
  const answers: string[] = []
  const ask = async (definition: AttributeRecord): Promise<void> => {
    const name = nameOf(definition)
    answers.push(...(await valuesFor(session, definition)).map((value) => `${name}=${value}`))
  }
  for (const definition of all) if (!others.includes(definition)) await ask(definition)
  const choices = others.map((definition) => ({ value: String(definition.Id), name: nameOf(definition) }))
  const marked = choices.length === 0 ? [] : await prompts.many({ message: 'More to say (Space marks, Enter goes on)', choices })
  for (const definition of others) if (marked.includes(String(definition.Id))) await ask(definition)
  session.set('attribute', answers)
}

/** None where they cannot be read: the service says what it misses. */
async function knownAttributes(session: Session): Promise<readonly AttributeRecord[]> {
  const { ctx, answers } = session
  try {
    return (await attributesOf(ctx, () => session.client(), Number(answers.category))) ?? []
  } catch (error) {
    ctx.signal.throwIfAborted()
    ctx.output.warn(`Attributes of the category cannot be read: ${error instanceof Error ? error.message : 'unknown error'}`)
    return []
  }
}

async function valuesFor({ ctx: { prompts } }: Session, definition: AttributeRecord): Promise<readonly string[]> {
  const { PossibleTermValues: possible = [], MinNumberOfValues: least, MaxNumberOfValues: most } = definition
  const message = nameOf(definition)
  const choices = possible.map((value) => ({ value, name: value }))
  const asked = { key: 'value', flag: '--attribute', message } as const
  if (choices.length > 0 && most === 1) {
    const { value = '' } = await prompts.fill([{ ...asked, kind: 'select', choices }])
    return [value]
  }
  if (choices.length > 0) {
    const check = ({ length }: readonly string[]) =>
      length < least || length > Math.max(least, most) ? `Mark ${least} to ${most}.` : undefined
    return prompts.many({ message: `${message} (Space marks, Enter goes on)`, choices, check })
  }
  const check = (text: string) => {
    readAttribute(`${definition.Id}=${text}`, [definition], '--attribute')
    return undefined
  }
  const { value = '' } = await prompts.fill([{ ...asked, kind: 'text', check }])
  return [value]
}
