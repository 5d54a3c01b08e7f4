/** A person at a terminal who answers from a script, and a service that has names. */
import { join } from 'node:path'
import { Readable } from 'node:stream'
import type { Asking } from '../../../src/actions/input/index.js'
import type { Context } from '../../../src/cli/context.js'
import { SellerError } from '../../../src/cli/errors.js'
import type { Choice, Confirmation, ManyQuestion, Question, SearchQuestion } from '../../../src/cli/prompts.js'
import type { SoapClient } from '../../../src/soap/client/index.js'
import { FakeService } from '../../jobs/bulk/support.js'
import { FakeContext } from '../support.js'

/** An answer, or the end of the questions by an error. */
export type Answer = string | readonly string[] | boolean | Error | (() => void)

export class Person extends FakeContext {
  /** The questions in their order: a flag, the message of a choice among many, or `Put on sale?`. */
  asked: string[] = []
  questionsAsked: Question[] = []
  searches: { readonly question: SearchQuestion; readonly choices: readonly Choice[] }[] = []
  manys: ManyQuestion[] = []
  shown: string[] = []
  /** Answers by question; the last one is given again and again. */
  script: Record<string, Answer[]> = {}
  available = true
  /** Which calls fail. */
  failing: (operation: string) => Error | undefined = () => undefined
  calls: string[] = []
  /** Whether each client was asked for as the seller. */
  clients: (boolean | undefined)[] = []
  categories: object[] = [
    { Id: 1, Name: 'Hem', Category: [{ Id: 101, Name: 'Vaser', Category: [] }] },
    { Id: 2, Name: 'Foto', Category: [] },
  ]
  payments: object[] = [
    { Id: 8, Description: 'Swish', Value: 'SWISH' },
    { Id: 4096, Description: 'Cash', Value: 'CASH' },
  ]
  products: object[] = []
  own: object[] = []

  constructor() {
    super(new FakeService())
  }

  private next(question: string): Exclude<Answer, Error> | undefined {
    this.asked.push(question)
    const answers = this.script[question] ?? []
    const answer = answers.length > 1 ? answers.shift() : answers[0]
    if (answer instanceof Error) throw answer
    if (typeof answer !== 'function') return answer
    answer()
    return undefined
  }

  private readonly prompts = () => ({
    available: this.available,
    show: (text: string) => void this.shown.push(text),
    fill: async (questions: readonly Question[]) => {
      const answers: Record<string, string> = {}
      for (const question of questions) {
        this.questionsAsked.push(question)
        const answer = this.next(
          question.message.startsWith('There is a draft') ? 'draft' : question.key === 'next' ? 'next' : question.flag,
        )
        if (typeof answer === 'string') answers[question.key] = answer
      }
      return answers
    },
    search: async (question: SearchQuestion) => {
      const name = question.message.replace(/ \(.*| \d+$/, '')
      const answer = String(this.next(name) ?? '')
      this.searches.push({ question, choices: await question.source('') })
      return answer
    },
    many: async (question: ManyQuestion) => {
      this.manys.push(question)
      return (this.next(question.message.replace(/ \(.*/, '')) ?? []) as string[]
    },
    confirm: async (question: Confirmation) => {
      this.questions.push(question)
      if (this.next(question.message) !== true) throw new SellerError('declined', 'Not confirmed; nothing was done.', '')
    },
  })

  readonly service = {
    call: async (operation: string) => {
      this.calls.push(operation)
      const error = this.failing(operation)
      if (error !== undefined) throw error
      if (operation === 'GetCategories') return this.categories
      return operation === 'GetPaymentTypes' ? this.payments : []
    },
    callAny: async (operation: { name: string }) => {
      const error = this.failing(operation.name)
      if (error !== undefined) throw error
      return { ProductsPerWeightSpan: [{ Products: this.products }] }
    },
    stream: () => {
      const error = this.failing('GetSellerItems')
      if (error !== undefined) throw error
      return Readable.from(this.own)
    },
  } as unknown as SoapClient

  override get ctx(): Context {
    return {
      ...super.ctx,
      prompts: this.prompts(),
      profile: { embedded: true, ...this.profile },
      dataDir: this.data,
      client: async (needs: { user?: boolean } = {}) => {
        this.clients.push(needs.user)
        return this.service
      },
    } as unknown as Context
  }

  get data(): string {
    return join(this.directory, 'data')
  }

  get asking(): Asking {
    const { prompts, clock, path } = this.ctx
    return { prompts, clock, path, stdin: Readable.from([]) as never }
  }
}
