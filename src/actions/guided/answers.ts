/** Answers as texts of flags: what was asked and what flags gave are read, checked and stored in one form. */
import { InputFaults } from '../../cli/input-faults.js'
import { capital, sentence } from '../../contract/index.js'
import { type FlagTexts, type Reading, readField } from '../input/flag-fields.js'
import { faultsIn, type InputKind, topOf, type Values } from '../input/kinds.js'

/** The text of each flag, or its texts. An empty one is a question that was left empty: it is not asked again. */
export type Answers = Readonly<Record<string, string | readonly string[]>>

/** Flags of one item that are not fields of its request. */
const BESIDE = ['image', 'mega-image', 'campaign', 'description-file', 'attribute']

/** The answers that flags give. */
export function answersIn<T>(kind: InputKind<T>, flags: FlagTexts): Answers {
  const names = [...kind.flagFields.map(({ flag }) => flag), ...BESIDE]
  const flagEntries = names.flatMap((name) => {
    const value = flags[name]
    return typeof value === 'string' || Array.isArray(value) ? [[name, value] as const] : []
  })
  return Object.fromEntries(flagEntries)
}

/** The flags that answers give: without those left empty. */
export function flagsIn(answers: Answers): FlagTexts {
  return Object.fromEntries(Object.entries(answers).filter(([, text]) => text.length > 0))
}

/** The fields of the request, as far as the answers can be read. */
export function valuesIn<T>(kind: InputKind<T>, answers: Answers, run: Reading): Values {
  const values: Record<string, unknown> = {}
  for (const field of kind.flagFields) {
    const answer = answers[field.flag]
    if (answer === undefined || answer.length === 0) continue
    const value = readField(field, answer, run, new InputFaults())
    if (value !== undefined) values[field.field] = value
  }
  return values
}

/** Why an answer will not do beside the others, in one or two sentences; undefined if it will. */
export function findAnswerFault<T>(
  kind: InputKind<T>,
  answers: Answers,
  flag: string,
  answer: string | readonly string[],
  run: Reading,
): string | undefined {
  const field = kind.flagFields.find((candidate) => candidate.flag === flag)
  if (field === undefined || answer.length === 0) return undefined
  const faults = new InputFaults()
  const value = readField(field, answer, run, faults)
  if (faults.any) return wordsOf(faults.all[0])
  const values = { ...valuesIn(kind, answers, run), [field.field]: value }
  return wordsOf(faultsIn(kind, values, [], run.clock.now()).find((fault) => topOf(fault.field) === field.field))
}

function wordsOf(fault: InputFaults['all'][number] | undefined): string | undefined {
  if (fault === undefined) return undefined
  const { message, hint } = fault
  return [sentence(capital(message)), hint].filter(Boolean).join(' ')
}
