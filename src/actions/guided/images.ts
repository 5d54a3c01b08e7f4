/** Images, by their paths: directories and images are offered while typing, and each is checked when it is chosen. */
import { open, readdir, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { type Choice, WentBack } from '../../cli/prompts.js'
import { MAX_IMAGE_BYTES } from '../../contract/index.js'
import { inspectImages } from '../../jobs/index.js'
import { detectImageFormat } from '../input/image-format.js'
import { photosOf } from '../input/photos.js'
import { folded } from '../reference/match.js'
import type { Session } from './session.js'

const DONE = ''
/** Names of files that may be images; another name is offered once it is typed whole. */
const IMAGE_NAME = /\.(?:jpe?g|png|gif|webp|heic|heif|avif|tiff?|bmp)$/i
/** Entries of a directory that are listed. */
const LISTED = 50

export async function askForImages(session: Session): Promise<void> {
  const { prompts } = session
  const most = session.kind.maxImages
  const paths: string[] = []
  while (most === undefined || paths.length < most) {
    const path = await prompts
      .search({
        message: paths.length === 0 ? 'Image, its path' : `Image ${paths.length + 1}`,
        source: (term) => pathsFor(session, term, paths.length),
        completes: (value) => value.endsWith('/'),
      })
      .catch((error: unknown) => {
        // The image before is the question before.
        if (!(error instanceof WentBack) || paths.length === 0) throw error
        return undefined
      })
    if (path === undefined) {
      prompts.show(`  Left out: ${paths.pop()}`)
      continue
    }
    if (path === DONE) break
    const whole = locate(session, path)
    const {
      faults: [fault],
      images: [image],
    } = await inspectImages([{ path: whole }], photosOf(session.ctx, session.start).options)
    if (fault !== undefined) prompts.show(`! ${path}: ${fault.message}. ${fault.hint ?? ''}`.trim())
    else if (paths.includes(whole)) prompts.show(`! ${path} is chosen already.`)
    else {
      paths.push(whole)
      const metadata = image?.removed ?? []
      const without = metadata.length === 0 ? '' : `, sent without ${metadata.join(', ')}`
      prompts.show(`  ${path}: ${image?.format}, ${Math.ceil((image?.bytes ?? 0) / 1024)} kB${without}`)
    }
  }
  session.set('image', paths)
}

/** Terminals type a file that is dropped on them in quotes or with backslashes; `~` is the home. */
export function plainPath(text: string, home: string | undefined): string {
  const bare = text.trim()
  const quotedMatch = /^(['"])(.*?)\1?$/.exec(bare)
  const path = quotedMatch?.[2] ?? bare.replace(/\\(.)/g, '$1')
  return home !== undefined && /^~(?:\/|$)/.test(path) ? `${home}${path.slice(1)}` : path
}

function locate({ ctx }: Session, path: string): string {
  return resolve(ctx.path(plainPath(path, ctx.env.HOME)))
}

/**
 * Completions of a path that is being typed. Files that the service does not take are listed with the reason, and cannot be
 * chosen.
 */
async function pathsFor(session: Session, term: string, count: number): Promise<Choice[]> {
  const typedPath = plainPath(term, session.ctx.env.HOME)
  const at = typedPath.lastIndexOf('/') + 1
  const [directory, begun] = [typedPath.slice(0, at), typedPath.slice(at)]
  const entries = await readdir(locate(session, directory === '' ? '.' : directory), { withFileTypes: true }).catch(() => [])
  const matchingEntries = entries
    .filter(({ name }) => folded(name).startsWith(folded(begun)) && (begun.startsWith('.') || !name.startsWith('.')))
    .filter((entry) => !entry.isFile() || IMAGE_NAME.test(entry.name) || entry.name === begun)
    .sort((one, other) => Number(one.isDirectory()) - Number(other.isDirectory()) || (one.name < other.name ? -1 : 1))
  const choices: Choice[] = []
  for (const entry of matchingEntries.slice(0, LISTED)) {
    const path = `${directory}${entry.name}`
    choices.push(entry.isDirectory() ? { value: `${path}/`, name: `${path}/` } : await fileChoice(session, path))
  }
  const name = count === 0 ? 'No image' : 'No more'
  // Tab puts its name into the line.
  const end: Choice[] = term === '' || term === name ? [{ value: DONE, name }] : []
  return [...end, ...choices]
}

async function fileChoice(session: Session, path: string): Promise<Choice> {
  const reason = await imageRefusal(locate(session, path), session.start.fit === true)
  return { value: path, name: path, ...(reason === undefined ? {} : { disabled: `(${reason})` }) }
}

/** A quick look at size and first bytes; the whole file is checked once it is chosen. */
async function imageRefusal(path: string, fits: boolean): Promise<string | undefined> {
  try {
    const { size } = await stat(path)
    if (size === 0) return 'is empty'
    if (size > MAX_IMAGE_BYTES && !fits) return 'is larger than 4 MB; start again with --fit'
    const file = await open(path)
    try {
      const { buffer } = await file.read(Buffer.alloc(12), 0, 12, 0)
      return detectImageFormat(buffer) === undefined ? 'is not a Gif, Jpeg or Png' : undefined
    } finally {
      await file.close()
    }
  } catch {
    return 'cannot be read'
  }
}
