/** The blocks of the documents for users, typed at a terminal as a person does who answers what is asked. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { SANDBOX_PROFILE } from '../../src/sandbox/index.js'
import { CATEGORY, PIXEL } from '../e2e/observed.js'
import { root } from '../e2e/product.js'
import { PATIENCE_MS } from '../e2e/runs.js'
import { openTerminal } from '../e2e/terminal.js'
import { closing } from '../opened.js'

const { appKey, token } = SANDBOX_PROFILE

/** The files that the documents name. Each block finds them whole. */
const FILES: Readonly<Record<string, string | Buffer>> = {
  'prices.csv': 'Id,Price\n600000416,5900\n600000415,175\n',
  'prices-shop-a.csv': 'Id,Price\n600000416,5910\n',
  'prices-shop-b.csv': 'Id,Price\n600000418,45\n',
  'costs.csv': 'Id,Cost\n600000416,3000\n600000415,60\n',
  'credentials.json': JSON.stringify({ app_key: appKey, token }),
  'item.yaml': `Title: Vas\nCategoryId: ${CATEGORY}\nStartPrice: 100\n`,
  'front.jpg': PIXEL.jpeg,
  'back.jpg': PIXEL.jpeg,
}

export async function writeFiles(folder: string): Promise<void> {
  for (const [name, content] of Object.entries(FILES)) await writeFile(join(folder, name), content)
}

/** Writes the files that a document shows, each named in the words before it, and the photos of whoever reads it. */
export async function writeOwnFiles(folder: string, path: string): Promise<void> {
  for (const name of ['front.jpg', 'back.jpg']) await writeFile(join(folder, name), FILES[name] ?? '')
  const text = await readFile(join(root, path), 'utf8')
  for (const [before = '', block = ''] of [...text.matchAll(/^```(?:csv|yaml)\n([\s\S]*?)^```/gm)].map(({ index, 1: found }) => [
    text.slice(0, index),
    found,
  ])) {
    const named = [...before.matchAll(/`([\w-]+\.\w+)`/g)].at(-1)?.[1]
    if (named === undefined) throw new Error(`${path} does not name the file:\n${block}`)
    await writeFile(join(folder, named), block)
  }
}

/** The blocks of a document, each as it would be typed. */
export const blocksOf = async (path: string): Promise<string[]> =>
  [...(await readFile(join(root, path), 'utf8')).matchAll(/^```sh\n([\s\S]*?)^```/gm)].map(([, block = '']) => block)

/** Answers of a person, by the question: the text, and for a list the choice that it leaves. */
const answersAt = (service: string): readonly (readonly [RegExp, string, RegExp?])[] => [
  [/Base URL/, service],
  [/Application id/, String(SANDBOX_PROFILE.appId)],
  [/Application key/, appKey],
  [/User id/, String(SANDBOX_PROFILE.userId)],
  [/Public key/, ''],
  [/token/, token],
  [/Title/, 'Höganäs krus'],
  [/Category/, 'keramik', /❯ Antikt & design > Design > Keramik/],
  [/Opening price/, '100'],
  [/Payment/, ' '],
  [/Shipping/, '', /❯ Pickup/],
  // A list that is still being read takes no key.
  [/Another way/, '', /❯ No more/],
  [/Image/, '', /❯ No (?:image|more)/],
  [/\(y\/N\)|\(y\/n\)/i, 'y'],
]

interface Typed {
  /** The address of the service. */
  readonly service: string
  readonly env: Readonly<Record<string, string>>
  readonly cwd: string
}

/** Types what a command runs at a terminal, answers what is asked, and ends what runs until Ctrl-C. */
export async function typed(command: readonly string[], { service, ...at }: Typed): Promise<{ code: number; screen: string }> {
  const answers = answersAt(service)
  using terminal = closing(await openTerminal(command, { ...at, height: 60 }))
  let answered: string | undefined
  for (const end = Date.now() + PATIENCE_MS; Date.now() < end; ) {
    const screen = await terminal.screen()
    if (/\[exit \d+\]/.test(screen)) return terminal.done()
    const question = screen.split('\n').findLast((line) => /^\? /.test(line)) ?? ''
    const before = screen.slice(0, screen.lastIndexOf(question))
    const number = /Type (\d+)/.exec(question)?.[1]
    if (question !== '' && before !== answered) {
      // A long question ends on a later line.
      const asked = /\([yY]\/[nN]\)$/.test(screen.trimEnd()) ? '(y/n)' : question
      const [, text = '', choice] = answers.find(([known]) => known.test(asked)) ?? []
      await terminal.type(number ?? text)
      if (choice !== undefined) await terminal.shows(choice)
      await terminal.type('\n')
      answered = before
    } else if (/The watch begins/.test(screen.trimEnd().split('\n').at(-1) ?? '')) {
      await terminal.press('C-c')
      // A second one would end the run at once, with 130.
      await terminal.shows(/\^C(?!.*The watch begins)/s)
    } else await new Promise((resolve) => setTimeout(resolve, 40))
  }
  throw new Error(`It did not end:\n${await terminal.screen()}`)
}
